/*
Copyright <year> Acme.
*/

import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change here run `npm run manifests` and `npm run generate`, which write the CRD and the schemas for tests.

/** SailorSpec defines the desired state of Sailor. */
export interface SailorSpec {
  /** foo is an example: replace it by the fields of your API. */
  foo?: string;
}

/** SailorStatus defines the observed state of Sailor. */
export interface SailorStatus {
  /**
   * conditions say in which state the Sailor is: usual types are "Available", "Progressing" and "Degraded", each True, False or Unknown.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Sailor is the schema of the sailors API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface Sailor extends KubernetesObject {
  /** spec defines the desired state of Sailor. */
  spec: SailorSpec;

  /** status defines the observed state of Sailor. */
  status?: SailorStatus;
}

export const Sailor: Kind<Sailor> = defineKind<Sailor>(GroupVersion, "Sailor");
