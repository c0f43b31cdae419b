// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +k8s:enum
export type Phase = "alpha" | "beta" | "charlie";

// +k8s:enum
// +kubebuilder:validation:Type=integer
export type Text = "one";

export interface WidgetSpec {
  phase: Phase;
  /** Several of them. */
  phases?: Phase[];
  // +kubebuilder:validation:MinLength=1
  text: Text;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
