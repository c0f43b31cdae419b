// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:MinLength=1
  a: int32;
  // +kubebuilder:validation:MaxLength=1
  b: string[];
  // +kubebuilder:validation:Pattern=^a
  c: boolean;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
