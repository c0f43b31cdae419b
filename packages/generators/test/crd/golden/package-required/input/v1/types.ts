// +groupName=golden.example.com
// +kubebuilder:validation:Required
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  plain: string;
  asked?: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
