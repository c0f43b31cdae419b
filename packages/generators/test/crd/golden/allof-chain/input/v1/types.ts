// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:validation:XValidation:rule="self != '3'"
// +kubebuilder:validation:MinLength=3
export type T3 = string;

// +kubebuilder:validation:XValidation:rule="self != '4'"
// +kubebuilder:validation:MinLength=4
export type T4 = T3;

// +kubebuilder:validation:XValidation:rule="self != '5'"
// +kubebuilder:validation:MinLength=5
export type T5 = T4;

export interface WidgetSpec {
  // +kubebuilder:validation:XValidation:rule="self != 'f'"
  // +kubebuilder:validation:MinLength=6
  field: T5;
  plain: T5;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
