/*
Copyright <year> Acme.
*/

import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change here run `npm run manifests` and `npm run generate`, which write the CRD and the schemas for tests.

/** AdmiralSpec defines the desired state of Admiral. */
export interface AdmiralSpec {
  /** foo is an example: replace it by the fields of your API. */
  foo?: string;
}

/** AdmiralStatus defines the observed state of Admiral. */
export interface AdmiralStatus {
  /**
   * conditions say in which state the Admiral is: usual types are "Available", "Progressing" and "Degraded", each True, False or Unknown.
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
