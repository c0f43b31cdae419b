import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change here run `npm run manifests` and `npm run generate`, which write the CRD and the schemas for tests.

/** BarSpec defines the desired state of Bar. */
export interface BarSpec {
  /** foo is an example: replace it by the fields of your API. */
  foo?: string;
}

/** BarStatus defines the observed state of Bar. */
export interface BarStatus {
  /**
   * conditions say in which state the Bar is: usual types are "Available", "Progressing" and "Degraded", each True, False or Unknown.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Bar is the schema of the bars API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:storageversion
 */
export interface Bar extends KubernetesObject {
  /** spec defines the desired state of Bar. */
  spec: BarSpec;

  /** status defines the observed state of Bar. */
  status?: BarStatus;
}

export const Bar: Kind<Bar> = defineKind<Bar>(GroupVersion, "Bar");
