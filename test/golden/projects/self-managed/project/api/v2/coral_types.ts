import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, NamespacedObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** CoralSpec defines the desired state of Coral. */
export interface CoralSpec {
  /** foo is an example: replace it with the fields of your API. */
  foo?: string;
}

/** CoralStatus defines the observed state of Coral. */
export interface CoralStatus {
  /**
   * conditions describe the state of the Coral. Common types are "Available", "Progressing", and "Degraded"; the status is True, False, or Unknown.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Coral is the schema of the corals API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface Coral extends NamespacedObject {
  /** spec defines the desired state of Coral. */
  spec: CoralSpec;

  /** status defines the observed state of Coral. */
  status?: CoralStatus;
}

export const Coral: Kind<Coral> = defineKind<Coral>(GroupVersion, "Coral");
