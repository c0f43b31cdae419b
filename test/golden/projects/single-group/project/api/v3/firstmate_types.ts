/*
Copyright <year> Acme.
*/

import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, NamespacedObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** FirstMateSpec defines the desired state of FirstMate. */
export interface FirstMateSpec {
  /** foo is an example: replace it with the fields of your API. */
  foo?: string;
}

/** FirstMateStatus defines the observed state of FirstMate. */
export interface FirstMateStatus {
  /**
   * conditions describe the state of the FirstMate. Common types are "Available", "Progressing", and "Degraded"; the status is True, False, or Unknown.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * FirstMate is the schema of the firstmates API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface FirstMate extends NamespacedObject {
  /** spec defines the desired state of FirstMate. */
  spec: FirstMateSpec;

  /** status defines the observed state of FirstMate. */
  status?: FirstMateStatus;
}

export const FirstMate: Kind<FirstMate> = defineKind<FirstMate>(GroupVersion, "FirstMate");
