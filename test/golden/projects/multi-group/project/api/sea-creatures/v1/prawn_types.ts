import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, NamespacedObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** PrawnSpec defines the desired state of Prawn. */
export interface PrawnSpec {
  /** foo is an example: replace it with the fields of your API. */
  foo?: string;
}

/** PrawnStatus defines the observed state of Prawn. */
export interface PrawnStatus {
  /**
   * conditions describe the state of the Prawn. Common types are "Available", "Progressing", and "Degraded"; the status is True, False, or Unknown.
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
export interface Prawn extends NamespacedObject {
  /** spec defines the desired state of Prawn. */
  spec: PrawnSpec;

  /** status defines the observed state of Prawn. */
  status?: PrawnStatus;
}

export const Prawn: Kind<Prawn> = defineKind<Prawn>(GroupVersion, "Prawn");
