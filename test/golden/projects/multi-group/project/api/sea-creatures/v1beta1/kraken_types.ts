import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change here run `npm run manifests` and `npm run generate`, which write the CRD and the schemas for tests.

/** KrakenSpec defines the desired state of Kraken. */
export interface KrakenSpec {
  /** foo is an example: replace it by the fields of your API. */
  foo?: string;
}

/** KrakenStatus defines the observed state of Kraken. */
export interface KrakenStatus {
  /**
   * conditions say in which state the Kraken is: usual types are "Available", "Progressing" and "Degraded", each True, False or Unknown.
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
export interface Kraken extends KubernetesObject {
  /** spec defines the desired state of Kraken. */
  spec: KrakenSpec;

  /** status defines the observed state of Kraken. */
  status?: KrakenStatus;
}

export const Kraken: Kind<Kraken> = defineKind<Kraken>(GroupVersion, "Kraken");
