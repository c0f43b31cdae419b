// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  /** The text stays. */
  // +kubebuilder:validation:Schemaless
  bare: symbol;
  // +kubebuilder:validation:Schemaless
  // +kubebuilder:validation:Type=object
  // +kubebuilder:validation:MinProperties=1
  // +kubebuilder:pruning:PreserveUnknownFields
  object?: () => void;
  // +kubebuilder:validation:Schemaless
  // +kubebuilder:validation:Type=integer
  // +kubebuilder:validation:Format=int64
  // +kubebuilder:validation:Minimum=1
  // +nullable
  number: [string, number];
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
