// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/**
 * Name is a name.
 * +kubebuilder:validation:MaxLength=5
 */
export type Name = string;

/**
 * Other is another name for it.
 * +kubebuilder:validation:MinLength=2
 */
export type Other = Name;

export interface WidgetSpec {
  other: Other;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
