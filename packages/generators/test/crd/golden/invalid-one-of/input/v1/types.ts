// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:validation:ExactlyOneOf=a;b
// +kubebuilder:validation:AtMostOneOf=c.d;e
export interface WidgetSpec {
  a: string;
  // +required
  b?: string;
  e?: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
