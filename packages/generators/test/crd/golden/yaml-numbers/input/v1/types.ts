// +groupName=golden.example.com
import type { float32, float64, int32, int64 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:Maximum=9223372036854775807
  // +kubebuilder:validation:Minimum=-9223372036854775808
  huge: int64;
  // +kubebuilder:validation:Maximum=1e21
  // +kubebuilder:validation:Minimum=0.00001
  // +kubebuilder:validation:MultipleOf=1234567.5
  float: float64;
  // +kubebuilder:validation:Maximum=123456789.25
  // +kubebuilder:validation:Minimum=-0.1
  // +kubebuilder:validation:MultipleOf=2.50
  other: float32;
  // +kubebuilder:validation:Maximum=1e3
  // +kubebuilder:validation:Minimum=+5
  exponent: int32;
  // +kubebuilder:validation:Enum=1;2;3
  enum: int32;
  // +kubebuilder:validation:Enum={1.5,2.5}
  floats: float64;
  // +kubebuilder:validation:Minimum=0
  // +kubebuilder:validation:Maximum=0.0
  zero: float64;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
