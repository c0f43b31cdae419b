// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:validation:Enum=a;b;c
export type Letter = string;

export interface WidgetSpec {
  plain: Letter;
  // +kubebuilder:validation:Enum=a
  typeWins: Letter;
  letters: Letter[];
  // +kubebuilder:default=a
  defaulted?: Letter;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
