import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, NamespacedObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** BarSpec defines the desired state of Bar. */
export interface BarSpec {
  /** foo is an example: replace it with the fields of your API. */
  foo?: string;
}

/** BarStatus defines the observed state of Bar. */
export interface BarStatus {
  /**
   * conditions describe the state of the Bar. Common types are "Available", "Progressing", and "Degraded"; the status is True, False, or Unknown.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Bar is the schema of the bars API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface Bar extends NamespacedObject {
  /** spec defines the desired state of Bar. */
  spec: BarSpec;

  /** status defines the observed state of Bar. */
  status?: BarStatus;
}

export const Bar: Kind<Bar> = defineKind<Bar>(GroupVersion, "Bar");
