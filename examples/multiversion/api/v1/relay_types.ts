import { defineKind, type int32, type int64, type Kind } from "@kubescaffold/k8s";
import type { Condition, NamespacedObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** RelayTarget is the destination of the connections. */
export interface RelayTarget {
  /**
   * host is a DNS name or an IP address, without brackets.
   * +kubebuilder:validation:MinLength=1
   * +kubebuilder:validation:MaxLength=253
   * +kubebuilder:validation:Pattern=`^[^\[\]\s]+$`
   */
  host: string;

  /**
   * port is the port of the host.
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:validation:Maximum=65535
   */
  port: int32;
}

/** RelayLimits limits the connections of a Relay. */
export interface RelayLimits {
  /**
   * connections is the maximum number of concurrent connections per Pod (default: unlimited).
   * +kubebuilder:validation:Minimum=1
   * +optional
   */
  connections?: int32;

  /**
   * idleSeconds is the time after which an idle connection is closed (default: never).
   * +kubebuilder:validation:Minimum=1
   * +optional
   */
  idleSeconds?: int32;
}

/** RelaySpec defines the desired state of Relay. */
export interface RelaySpec {
  /** target is the destination of the connections. */
  target: RelayTarget;

  /**
   * replicas is the number of Pods.
   * +kubebuilder:validation:Minimum=0
   * +kubebuilder:validation:Maximum=20
   * +kubebuilder:default=1
   * +optional
   */
  replicas?: int32;

  /**
   * listenPort is the port of the Service. The webhook defaults it to the port of the target; it does not change with the target.
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:validation:Maximum=65535
   * +optional
   */
  listenPort?: int32;

  /**
   * limits limits the connections.
   * +optional
   */
  limits?: RelayLimits;
}

/** RelayStatus defines the observed state of Relay. */
export interface RelayStatus {
  /** observedGeneration is the generation of the spec that this status describes. */
  observedGeneration?: int64;

  /** availableReplicas is the number of available Pods. */
  availableReplicas?: int32;

  /**
   * conditions describe the state of the Relay: "Available" is True if all Pods are available.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Relay forwards TCP connections to another host.
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
export interface Relay extends NamespacedObject {
  /** spec defines the desired state of Relay. */
  spec: RelaySpec;

  /** status defines the observed state of Relay. */
  status?: RelayStatus;
}

export const Relay: Kind<Relay> = defineKind<Relay>(GroupVersion, "Relay");
