import { defineKind, type int64, type Kind, type Quantity } from "@kubescaffold/k8s";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/**
 * DeletionPolicy determines whether the Namespace is deleted with its NamespacePlus.
 * +kubebuilder:validation:Enum=Delete;Retain
 */
export type DeletionPolicy = "Delete" | "Retain";

/** NamespacePlusSpec defines the desired state of NamespacePlus. */
export interface NamespacePlusSpec {
  /**
   * labels are set on the Namespace, and removed when they are removed here; other labels are kept.
   * +optional
   */
  labels?: Record<string, string>;

  /**
   * quota is the limit for each resource in the Namespace (default: unlimited).
   * +optional
   */
  quota?: Record<string, Quantity>;

  /**
   * deletionPolicy determines whether the Namespace is deleted with this object.
   * +kubebuilder:default=Delete
   * +optional
   */
  deletionPolicy?: DeletionPolicy;

  /**
   * adopt allows the controller to take over an existing Namespace with this name.
   * +optional
   */
  adopt?: boolean;
}

/** NamespacePlusStatus defines the observed state of NamespacePlus. */
export interface NamespacePlusStatus {
  /** observedGeneration is the generation of the spec that this status describes. */
  observedGeneration?: int64;

  /**
   * conditions describe the state of the NamespacePlus: "Ready" is True if the Namespace and its quota match the spec.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * NamespacePlus manages a Namespace with the same name, and its quota.
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
