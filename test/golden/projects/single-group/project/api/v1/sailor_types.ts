/*
Copyright <year> Acme.
*/

import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, NamespacedObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** SailorSpec defines the desired state of Sailor. */
export interface SailorSpec {
  /** foo is an example: replace it with the fields of your API. */
  foo?: string;
}

/** SailorStatus defines the observed state of Sailor. */
export interface SailorStatus {
  /**
   * conditions describe the state of the Sailor. Common types are "Available", "Progressing", and "Degraded"; the status is True, False, or Unknown.
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
export interface Sailor extends NamespacedObject {
  /** spec defines the desired state of Sailor. */
  spec: SailorSpec;

  /** status defines the observed state of Sailor. */
  status?: SailorStatus;
}

export const Sailor: Kind<Sailor> = defineKind<Sailor>(GroupVersion, "Sailor");
