/*
Copyright <year> Acme.
*/

import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change here run `npm run manifests` and `npm run generate`, which write the CRD and the schemas for tests.

/** CaptainSpec defines the desired state of Captain. */
export interface CaptainSpec {
  /** foo is an example: replace it by the fields of your API. */
  foo?: string;
}

/** CaptainStatus defines the observed state of Captain. */
export interface CaptainStatus {
  /**
   * conditions say in which state the Captain is: usual types are "Available", "Progressing" and "Degraded", each True, False or Unknown.
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
export interface Captain extends KubernetesObject {
  /** spec defines the desired state of Captain. */
  spec: CaptainSpec;

  /** status defines the observed state of Captain. */
  status?: CaptainStatus;
}

export const Captain: Kind<Captain> = defineKind<Captain>(GroupVersion, "Captain");
