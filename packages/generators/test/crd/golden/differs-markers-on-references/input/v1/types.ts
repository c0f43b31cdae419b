// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Inner {
  x?: string;
}

export type Names = string[];

export interface WidgetSpec {
  // +kubebuilder:validation:MinProperties=1
  inner: Inner;
  // +kubebuilder:validation:MaxItems=3
  // +kubebuilder:validation:items:MaxLength=5
  names: Names;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
