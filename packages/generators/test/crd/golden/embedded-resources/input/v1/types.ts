// +groupName=golden.example.com
import type { RawExtension } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:EmbeddedResource
  long: RawExtension;
  // +kubebuilder:validation:XEmbeddedResource
  short: RawExtension;
  // +kubebuilder:validation:EmbeddedResource
  // +kubebuilder:pruning:PreserveUnknownFields
  inner: Inner;
  typed: Embedded;
  // +kubebuilder:validation:items:XEmbeddedResource
  // +kubebuilder:validation:items:XPreserveUnknownFields
  list: Record<string, string>[];
}

export interface Inner {
  kind?: string;
}

// +kubebuilder:validation:XEmbeddedResource
// +kubebuilder:pruning:PreserveUnknownFields
export interface Embedded {
  kind?: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
