// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:Optional
  // +kubebuilder:validation:Required
  optionalBeatsRequired: string;
  // +kubebuilder:validation:Required
  // +optional
  requiredBeatsShortOptional?: string;
  // +optional
  // +required
  shortOptionalBeatsShortRequired: string;
  // +k8s:optional
  // +required
  tagOptionalBeatsShortRequired: string;
  // +required
  // +nullable
  requiredAndNullable: string;
  // +kubebuilder:default=x
  defaultStaysRequired: string;
  // +k8s:optional
  tagOptional: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
