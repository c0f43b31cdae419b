import { defineKind, type int32, type Kind } from "@kubescaffold/k8s";
import type { Condition, NamespacedObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** GuestbookSpec defines the desired state of Guestbook. */
export interface GuestbookSpec {
  /**
   * size is the number of Pods that serve the guestbook.
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:validation:Maximum=10
   * +kubebuilder:default=1
   */
  size?: int32;

  /**
   * image is the container image; the webhook sets a default.
   * +kubebuilder:validation:MinLength=1
   */
  image?: string;

  /**
   * port is the port of the Pods and of the Service.
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:validation:Maximum=65535
   * +kubebuilder:default=8080
   */
  port?: int32;
}

/** GuestbookStatus defines the observed state of Guestbook. */
export interface GuestbookStatus {
  /** observedGeneration is the generation of the spec that this status describes. */
  observedGeneration?: int32;

  /** availableReplicas is the number of available Pods. */
  availableReplicas?: int32;

  /**
   * conditions describe the state of the Guestbook: "Available" is True if all Pods are available.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Guestbook is the schema of the guestbooks API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=".spec.size"
 * +kubebuilder:printcolumn:name="Available",type=string,JSONPath=".status.conditions[?(@.type=='Available')].status"
 * +kubebuilder:printcolumn:name="Image",type=string,JSONPath=".spec.image",priority=1
 * +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
 */
export interface Guestbook extends NamespacedObject {
  /** spec defines the desired state of Guestbook. */
  spec: GuestbookSpec;

  /** status defines the observed state of Guestbook. */
  status?: GuestbookStatus;
}

export const Guestbook: Kind<Guestbook> = defineKind<Guestbook>(GroupVersion, "Guestbook");
