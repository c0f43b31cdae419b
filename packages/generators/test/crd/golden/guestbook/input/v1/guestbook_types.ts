import { defineKind, type int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { GroupVersion } from "./groupversion_info.ts";

/** GuestbookSpec defines the desired state. */
export interface GuestbookSpec {
  /**
   * Number of replicas.
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:default=1
   */
  size?: int32;
}
/** GuestbookStatus defines the observed state. */
export interface GuestbookStatus {
  ready?: int32;
}
/**
 * Guestbook is the schema for the guestbooks API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=".spec.size"
 */
export interface Guestbook extends KubernetesObject {
  spec: GuestbookSpec;
  status?: GuestbookStatus;
}
export const Guestbook = defineKind<Guestbook>(GroupVersion, "Guestbook");
