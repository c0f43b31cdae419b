/*
 * Of the Acme lagoon office. All rights reserved.
 */

import { defineKind, type int32, type int64, type Kind } from "@kubescaffold/k8s";
import type { Condition, NamespacedObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** BusyboxSpec defines the desired state of Busybox. */
export interface BusyboxSpec {
  /**
   * size is the number of Pods.
   * +kubebuilder:validation:Minimum=0
   * +kubebuilder:default=1
   */
  size?: int32;

  /**
   * image is the container image, which overrides the image that the operator was deployed with. It has no default, so that a new release of
   * the operator updates objects without an image.
   * +kubebuilder:validation:MinLength=1
   */
  image?: string;
}

/** BusyboxStatus defines the observed state of Busybox. */
export interface BusyboxStatus {
  /** observedGeneration is the generation of the spec that this status describes. */
  observedGeneration?: int64;

  /** replicas is the current number of Pods. */
  replicas?: int32;

  /** selector is the label selector of the Pods, for autoscalers. */
  selector?: string;

  /**
   * conditions describe the state of the Busybox: "Available" if enough Pods are available, "Progressing" during a rollout, and "Degraded" if
   * the rollout has failed.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Busybox is the schema of the busyboxes API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:subresource:scale:specpath=.spec.size,statuspath=.status.replicas,selectorpath=.status.selector
 * +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=".spec.size"
 * +kubebuilder:printcolumn:name="Available",type=string,JSONPath=".status.conditions[?(@.type=='Available')].status"
 * +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
 * +kubebuilder:validation:XValidation:rule="size(self.metadata.name) <= 63",message="the name is also the value of a label: up to 63 characters"
 */
export interface Busybox extends NamespacedObject {
  /** spec defines the desired state of Busybox. */
  spec: BusyboxSpec;

  /** status defines the observed state of Busybox. */
  status?: BusyboxStatus;
}

export const Busybox: Kind<Busybox> = defineKind<Busybox>(GroupVersion, "Busybox");
