// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:Minimum=1
  a: string;
  // +kubebuilder:validation:Maximum=1
  b: boolean;
  // +kubebuilder:validation:ExclusiveMinimum=true
  c: string;
  // +kubebuilder:validation:ExclusiveMaximum=true
  d: int32[];
  // +kubebuilder:validation:MultipleOf=2
  e: Record<string, int32>;
  // +k8s:minimum=1
  f: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
