// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  shared: Shared;
}

/** Shared is in two versions. */
export interface Shared {
  // +kubebuilder:validation:MaxLength=5
  name: string;
}

// +kubebuilder:storageversion
export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
