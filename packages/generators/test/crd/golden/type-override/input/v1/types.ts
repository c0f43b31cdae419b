// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:Type=string
  // +kubebuilder:validation:MaxLength=3
  number: int32;
  // +kubebuilder:validation:Format=uri
  // +kubebuilder:validation:Type=string
  text: string;
  // +kubebuilder:validation:Type=""
  cleared: string;
  typed: Opaque;
}

/**
 * Opaque is text.
 * +kubebuilder:validation:Type=string
 */
export type Opaque = int32;

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
