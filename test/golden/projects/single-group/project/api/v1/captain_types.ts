/*
Copyright <year> Acme.
*/

import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, NamespacedObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** CaptainSpec defines the desired state of Captain. */
export interface CaptainSpec {
  /** foo is an example: replace it with the fields of your API. */
  foo?: string;
}

/** CaptainStatus defines the observed state of Captain. */
export interface CaptainStatus {
  /**
   * conditions describe the state of the Captain. Common types are "Available", "Progressing", and "Degraded"; the status is True, False, or Unknown.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Captain is the schema of the captains API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface Captain extends NamespacedObject {
  /** spec defines the desired state of Captain. */
  spec: CaptainSpec;

  /** status defines the observed state of Captain. */
  status?: CaptainStatus;
}

export const Captain: Kind<Captain> = defineKind<Captain>(GroupVersion, "Captain");
