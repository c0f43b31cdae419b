// +groupName=golden.example.com
import type { float32, float64 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:Minimum=0.5
  // +kubebuilder:validation:Maximum=1e+21
  // +kubebuilder:validation:MultipleOf=0.25
  // +kubebuilder:default=1.50
  single: float32;
  // +kubebuilder:validation:Enum=1234567.5;0.00001;2.50
  double: float64;
  bare: number;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
