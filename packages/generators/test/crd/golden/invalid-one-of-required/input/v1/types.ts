// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:validation:ExactlyOneOf=a;b
export interface WidgetSpec {
  a: string;
  // +required
  b?: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
