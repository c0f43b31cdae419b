// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=10
// +kubebuilder:validation:Pattern=^t
// +kubebuilder:validation:Format=hostname
export type Text = string;

// +kubebuilder:validation:Minimum=1
// +kubebuilder:validation:Maximum=10
// +kubebuilder:validation:MultipleOf=2
// +kubebuilder:validation:ExclusiveMinimum=true
export type Number = int32;

export interface WidgetSpec {
  // +kubebuilder:validation:MinLength=2
  // +kubebuilder:validation:MaxLength=10
  // +kubebuilder:validation:Pattern=^u
  // +kubebuilder:validation:Format=uri
  all: Text;
  // +kubebuilder:validation:Pattern=^t
  // +kubebuilder:validation:Format=hostname
  same: Text;
  // +kubebuilder:validation:MaxLength=3
  one: Text;
  // +kubebuilder:validation:Minimum=1
  // +kubebuilder:validation:Maximum=5
  // +kubebuilder:validation:MultipleOf=3
  // +kubebuilder:validation:ExclusiveMinimum=true
  numbers: Number;
  // +kubebuilder:validation:ExclusiveMaximum=true
  exclusive: Number;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
