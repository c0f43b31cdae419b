// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:MinItems=1
  a: string;
  // +kubebuilder:validation:MaxItems=1
  b: Record<string, string>;
  // +kubebuilder:validation:UniqueItems=true
  c: int32;
  // +k8s:maxItems=1
  d: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
