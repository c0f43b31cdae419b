// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:validation:AtMostOneOf=a.x;b
export interface WidgetSpec {
  a?: Inner;
  b?: string;
}

export interface Inner {
  x?: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
