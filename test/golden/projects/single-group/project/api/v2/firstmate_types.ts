/*
Copyright <year> Acme.
*/

import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change here run `npm run manifests` and `npm run generate`, which write the CRD and the schemas for tests.

/** FirstMateSpec defines the desired state of FirstMate. */
export interface FirstMateSpec {
  /** foo is an example: replace it by the fields of your API. */
  foo?: string;
}

/** FirstMateStatus defines the observed state of FirstMate. */
export interface FirstMateStatus {
  /**
   * conditions say in which state the FirstMate is: usual types are "Available", "Progressing" and "Degraded", each True, False or Unknown.
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
export interface FirstMate extends KubernetesObject {
  /** spec defines the desired state of FirstMate. */
  spec: FirstMateSpec;

  /** status defines the observed state of FirstMate. */
  status?: FirstMateStatus;
}

export const FirstMate: Kind<FirstMate> = defineKind<FirstMate>(GroupVersion, "FirstMate");
