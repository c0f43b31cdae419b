// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:MinProperties=1
  a: string;
  // +kubebuilder:validation:MaxProperties=1
  b: string[];
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
