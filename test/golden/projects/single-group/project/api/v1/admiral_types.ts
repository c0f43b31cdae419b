/*
Copyright <year> Acme.
*/

import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** AdmiralSpec defines the desired state of Admiral. */
export interface AdmiralSpec {
  /** foo is an example: replace it with the fields of your API. */
  foo?: string;
}

/** AdmiralStatus defines the observed state of Admiral. */
export interface AdmiralStatus {
  /**
   * conditions describe the state of the Admiral. Common types are "Available", "Progressing", and "Degraded"; the status is True, False, or Unknown.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Admiral is the schema of the admirales API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:resource:path=admirales,scope=Cluster
 */
export interface Admiral extends KubernetesObject {
  /** spec defines the desired state of Admiral. */
  spec: AdmiralSpec;

  /** status defines the observed state of Admiral. */
  status?: AdmiralStatus;
}

export const Admiral: Kind<Admiral> = defineKind<Admiral>(GroupVersion, "Admiral");
