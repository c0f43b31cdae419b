// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:items:Minimum=1
  // +kubebuilder:validation:items:Maximum=9
  // +kubebuilder:validation:items:ExclusiveMinimum=true
  // +kubebuilder:validation:items:ExclusiveMaximum=true
  // +kubebuilder:validation:items:MultipleOf=2
  numbers: int32[];
  // +kubebuilder:validation:items:MinLength=1
  // +kubebuilder:validation:items:MaxLength=9
  // +kubebuilder:validation:items:Pattern=^a
  // +kubebuilder:validation:items:Format=hostname
  // +kubebuilder:validation:items:Enum=a;ab
  texts: string[];
  // +kubebuilder:validation:items:MinItems=1
  // +kubebuilder:validation:items:MaxItems=2
  // +kubebuilder:validation:items:UniqueItems=false
  lists: string[][];
  // +kubebuilder:validation:items:MinProperties=1
  // +kubebuilder:validation:items:MaxProperties=2
  tables: Record<string, string>[];
  // +kubebuilder:validation:items:Type=integer
  retyped: string[];
  // +kubebuilder:validation:items:XValidation:rule="self > 1",message="one"
  // +kubebuilder:validation:items:XValidation:rule="self > 2"
  ruled: int32[];
  // +kubebuilder:validation:items:XPreserveUnknownFields
  // +kubebuilder:validation:items:XEmbeddedResource
  open: Record<string, string>[];
  // +kubebuilder:validation:items:MaxLength=5
  // +kubebuilder:validation:MaxItems=3
  mixed: string[];
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
