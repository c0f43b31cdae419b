/*
 * Of the Acme lagoon office. All rights reserved.
 */

import { defineKind, type int32, type int64, type Kind } from "@kubescaffold/k8s";
import type { Condition, NamespacedObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** MemcachedSpec defines the desired state of Memcached. */
export interface MemcachedSpec {
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

  /**
   * containerPort is the port of the container and of the Service.
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:validation:Maximum=65535
   * +kubebuilder:default=11211
   */
  containerPort?: int32;
}

/** MemcachedStatus defines the observed state of Memcached. */
export interface MemcachedStatus {
  /** observedGeneration is the generation of the spec that this status describes. */
  observedGeneration?: int64;

  /** replicas is the current number of Pods. */
  replicas?: int32;

  /** selector is the label selector of the Pods, for autoscalers. */
  selector?: string;

  /**
   * conditions describe the state of the Memcached: "Available" if enough Pods are available, "Progressing" during a rollout, and "Degraded" if
   * the rollout has failed.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Memcached is the schema of the memcacheds API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:subresource:scale:specpath=.spec.size,statuspath=.status.replicas,selectorpath=.status.selector
 * +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=".spec.size"
 * +kubebuilder:printcolumn:name="Available",type=string,JSONPath=".status.conditions[?(@.type=='Available')].status"
 * +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
 * +kubebuilder:validation:XValidation:rule="self.metadata.name.matches('^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$')",message="the name is also that of a Service: up to 63 lower-case letters, digits and dashes, a letter first"
 */
export interface Memcached extends NamespacedObject {
  /** spec defines the desired state of Memcached. */
  spec: MemcachedSpec;

  /** status defines the observed state of Memcached. */
  status?: MemcachedStatus;
}

export const Memcached: Kind<Memcached> = defineKind<Memcached>(GroupVersion, "Memcached");
