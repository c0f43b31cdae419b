import { defineKind, type int64, type Kind, type Quantity } from "@kubescaffold/k8s";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change here run `npm run manifests` and `npm run generate`, which write the CRD and the schemas for tests.

/**
 * DeletionPolicy says what becomes of the Namespace when its NamespacePlus is deleted.
 * +kubebuilder:validation:Enum=Delete;Retain
 */
export type DeletionPolicy = "Delete" | "Retain";

/** NamespacePlusSpec defines the desired state of NamespacePlus. */
export interface NamespacePlusSpec {
  /**
   * labels are on the Namespace as long as they are here; labels of others stay.
   * +optional
   */
  labels?: Record<string, string>;

  /**
   * quota is what all objects in the Namespace may use together, by resource; left out, there is no limit.
   * +optional
   */
  quota?: Record<string, Quantity>;

  /**
   * deletionPolicy says what becomes of the Namespace when this object is deleted.
   * +kubebuilder:default=Delete
   * +optional
   */
  deletionPolicy?: DeletionPolicy;

  /**
   * adopt takes over a Namespace of this name that is there already; otherwise it is left alone.
   * +optional
   */
  adopt?: boolean;
}

/** NamespacePlusStatus defines the observed state of NamespacePlus. */
export interface NamespacePlusStatus {
  /** observedGeneration is the generation of the spec that this status is about. */
  observedGeneration?: int64;

  /**
   * conditions say in which state the NamespacePlus is: "Ready" is True once the Namespace and its quota are as the spec says.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * NamespacePlus is a Namespace with a quota; both have its name.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:resource:scope=Cluster,shortName=nsp
 * +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=".status.conditions[?(@.type=='Ready')].status"
 * +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=".status.conditions[?(@.type=='Ready')].reason"
 * +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
 */
export interface NamespacePlus extends KubernetesObject {
  /** spec defines the desired state of NamespacePlus. */
  spec: NamespacePlusSpec;

  /** status defines the observed state of NamespacePlus. */
  status?: NamespacePlusStatus;
}

export const NamespacePlus: Kind<NamespacePlus> = defineKind<NamespacePlus>(GroupVersion, "NamespacePlus");
