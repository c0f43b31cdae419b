import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, NamespacedObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** KrakenSpec defines the desired state of Kraken. */
export interface KrakenSpec {
  /** foo is an example: replace it with the fields of your API. */
  foo?: string;
}

/** KrakenStatus defines the observed state of Kraken. */
export interface KrakenStatus {
  /**
   * conditions describe the state of the Kraken. Common types are "Available", "Progressing", and "Degraded"; the status is True, False, or Unknown.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Kraken is the schema of the krakens API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface Kraken extends NamespacedObject {
  /** spec defines the desired state of Kraken. */
  spec: KrakenSpec;

  /** status defines the observed state of Kraken. */
  status?: KrakenStatus;
}

export const Kraken: Kind<Kraken> = defineKind<Kraken>(GroupVersion, "Kraken");
