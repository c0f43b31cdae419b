/*
 * Of the Acme lagoon office. All rights reserved.
 */

import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change here run `npm run manifests` and `npm run generate`, which write the CRD and the schemas for tests.

/** CoralSpec defines the desired state of Coral. */
export interface CoralSpec {
  /** foo is an example: replace it by the fields of your API. */
  foo?: string;
}

/** CoralStatus defines the observed state of Coral. */
export interface CoralStatus {
  /**
   * conditions say in which state the Coral is: usual types are "Available", "Progressing" and "Degraded", each True, False or Unknown.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Coral is the schema of the corals API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:storageversion
 */
export interface Coral extends KubernetesObject {
  /** spec defines the desired state of Coral. */
  spec: CoralSpec;

  /** status defines the observed state of Coral. */
  status?: CoralStatus;
}

export const Coral: Kind<Coral> = defineKind<Coral>(GroupVersion, "Coral");
