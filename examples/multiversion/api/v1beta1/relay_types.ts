import { defineKind, type int32, type int64, type Kind } from "@kubescaffold/k8s";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change here run `npm run manifests` and `npm run generate`, which write the CRD and the schemas for tests.

/** RelaySpec defines the desired state of Relay. */
export interface RelaySpec {
  /**
   * target is where the connections go, as host:port; an IPv6 address stands in brackets.
   * +kubebuilder:validation:Pattern=`^(\[[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*\]|[^\[\]\s:]+):[1-9][0-9]{0,4}$`
   */
  target: string;

  /**
   * replicas is the number of Pods that relay.
   * +kubebuilder:validation:Minimum=0
   * +kubebuilder:validation:Maximum=20
   * +kubebuilder:default=1
   * +optional
   */
  replicas?: int32;

  /**
   * idleSeconds is after how long without a byte a connection is closed; left out, never.
   * +kubebuilder:validation:Minimum=1
   * +optional
   */
  idleSeconds?: int32;
}

/** RelayStatus defines the observed state of Relay. */
export interface RelayStatus {
  /** observedGeneration is the generation of the spec that this status is about. */
  observedGeneration?: int64;

  /** availableReplicas is the number of Pods that can relay. */
  availableReplicas?: int32;

  /**
   * conditions say in which state the Relay is: "Available" is True once all its Pods can relay.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Relay passes TCP connections on to another host.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.availableReplicas
 * +kubebuilder:printcolumn:name="Target",type=string,JSONPath=".spec.target"
 * +kubebuilder:printcolumn:name="Replicas",type=integer,JSONPath=".spec.replicas"
 * +kubebuilder:printcolumn:name="Available",type=string,JSONPath=".status.conditions[?(@.type=='Available')].status"
 * +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
 */
export interface Relay extends KubernetesObject {
  /** spec defines the desired state of Relay. */
  spec: RelaySpec;

  /** status defines the observed state of Relay. */
  status?: RelayStatus;
}

export const Relay: Kind<Relay> = defineKind<Relay>(GroupVersion, "Relay");
