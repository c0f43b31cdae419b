// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:items:MaxLength=1
  a: string;
  // +kubebuilder:validation:items:Enum=a
  b: Record<string, string>;
  // +kubebuilder:validation:items:Minimum=1
  c: string[];
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
