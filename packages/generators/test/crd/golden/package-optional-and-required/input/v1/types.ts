// +groupName=golden.example.com
// +kubebuilder:validation:Required
// +kubebuilder:validation:Optional
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  plain: string;
  // +required
  needed?: string;
  // +kubebuilder:validation:Required
  asked: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
