import { defineKind, type int32, type int64, type Kind } from "@kubescaffold/k8s";
import type { Condition, NamespacedObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** RelaySpec defines the desired state of Relay. */
export interface RelaySpec {
  /**
   * target is the destination of the connections, as host:port, with brackets around an IPv6 address.
   * +kubebuilder:validation:Pattern=`^(\[[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*\]|[^\[\]\s:]+):[1-9][0-9]{0,4}$`
   */
  target: string;

  /**
   * size is the number of Pods.
   * +kubebuilder:validation:Minimum=0
   * +kubebuilder:validation:Maximum=20
   * +kubebuilder:default=1
   * +optional
   */
  size?: int32;
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
 * +kubebuilder:deprecatedversion:warning="network.demo/v1alpha1 Relay is deprecated; use network.demo/v1 Relay"
 * +kubebuilder:subresource:scale:specpath=.spec.size,statuspath=.status.availableReplicas
 * +kubebuilder:printcolumn:name="Target",type=string,JSONPath=".spec.target"
 * +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=".spec.size"
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
