import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, NamespacedObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** FrigateSpec defines the desired state of Frigate. */
export interface FrigateSpec {
  /** foo is an example: replace it with the fields of your API. */
  foo?: string;
}

/** FrigateStatus defines the observed state of Frigate. */
export interface FrigateStatus {
  /**
   * conditions describe the state of the Frigate. Common types are "Available", "Progressing", and "Degraded"; the status is True, False, or Unknown.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Frigate is the schema of the frigates API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface Frigate extends NamespacedObject {
  /** spec defines the desired state of Frigate. */
  spec: FrigateSpec;

  /** status defines the observed state of Frigate. */
  status?: FrigateStatus;
}

export const Frigate: Kind<Frigate> = defineKind<Frigate>(GroupVersion, "Frigate");
