import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change here run `npm run manifests` and `npm run generate`, which write the CRD and the schemas for tests.

/** FrigateSpec defines the desired state of Frigate. */
export interface FrigateSpec {
  /** foo is an example: replace it by the fields of your API. */
  foo?: string;
}

/** FrigateStatus defines the observed state of Frigate. */
export interface FrigateStatus {
  /**
   * conditions say in which state the Frigate is: usual types are "Available", "Progressing" and "Degraded", each True, False or Unknown.
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
export interface Frigate extends KubernetesObject {
  /** spec defines the desired state of Frigate. */
  spec: FrigateSpec;

  /** status defines the observed state of Frigate. */
  status?: FrigateStatus;
}

export const Frigate: Kind<Frigate> = defineKind<Frigate>(GroupVersion, "Frigate");
