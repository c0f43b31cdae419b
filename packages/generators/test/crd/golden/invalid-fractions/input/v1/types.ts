// +groupName=golden.example.com
import type { int32, int64, integer } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:Minimum=1.5
  a: int32;
  // +kubebuilder:validation:Maximum=0.1
  b: int64;
  // +kubebuilder:validation:MultipleOf=2.5
  c: integer;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
