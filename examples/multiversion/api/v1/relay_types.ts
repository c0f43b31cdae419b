import { defineKind, type int32, type int64, type Kind } from "@kubescaffold/k8s";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change here run `npm run manifests` and `npm run generate`, which write the CRD and the schemas for tests.

/** RelayTarget is where the connections go. */
export interface RelayTarget {
  /**
   * host is a DNS name or an IP address, without brackets.
   * +kubebuilder:validation:MinLength=1
   * +kubebuilder:validation:MaxLength=253
   * +kubebuilder:validation:Pattern=`^[^\[\]\s]+$`
   */
  host: string;

  /**
   * port is the port at that host.
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:validation:Maximum=65535
   */
  port: int32;
}

/** RelayLimits keep one client from taking it all. */
export interface RelayLimits {
  /**
   * connections is how many connections one Pod relays at the same time; left out, there is no limit.
   * +kubebuilder:validation:Minimum=1
   * +optional
   */
  connections?: int32;

  /**
   * idleSeconds is after how long without a byte a connection is closed; left out, never.
   * +kubebuilder:validation:Minimum=1
   * +optional
   */
  idleSeconds?: int32;
}

/** RelaySpec defines the desired state of Relay. */
export interface RelaySpec {
  /** target is where the connections go. */
  target: RelayTarget;

  /**
   * replicas is the number of Pods that relay.
   * +kubebuilder:validation:Minimum=0
   * +kubebuilder:validation:Maximum=20
   * +kubebuilder:default=1
   * +optional
   */
  replicas?: int32;

  /**
   * listenPort is the port of the Service; the webhook gives it that of the target, and it stays when the target moves.
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:validation:Maximum=65535
   * +optional
   */
  listenPort?: int32;

  /**
   * limits keep one client from taking it all.
   * +optional
   */
  limits?: RelayLimits;
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
 * +kubebuilder:storageversion
 * +kubebuilder:printcolumn:name="Host",type=string,JSONPath=".spec.target.host"
 * +kubebuilder:printcolumn:name="Port",type=integer,JSONPath=".spec.target.port"
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
