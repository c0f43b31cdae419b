// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:validation:Type=string
// +kubebuilder:validation:Pattern="^v"
export type Version = string;

export interface WidgetSpec {
  /** The version. */
  version: Version;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
