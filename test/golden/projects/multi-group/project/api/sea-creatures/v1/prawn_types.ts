import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change here run `npm run manifests` and `npm run generate`, which write the CRD and the schemas for tests.

/** PrawnSpec defines the desired state of Prawn. */
export interface PrawnSpec {
  /** foo is an example: replace it by the fields of your API. */
  foo?: string;
}

/** PrawnStatus defines the observed state of Prawn. */
export interface PrawnStatus {
  /**
   * conditions say in which state the Prawn is: usual types are "Available", "Progressing" and "Degraded", each True, False or Unknown.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Prawn is the schema of the prawns API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface Prawn extends KubernetesObject {
  /** spec defines the desired state of Prawn. */
  spec: PrawnSpec;

  /** status defines the observed state of Prawn. */
  status?: PrawnStatus;
}

export const Prawn: Kind<Prawn> = defineKind<Prawn>(GroupVersion, "Prawn");
