// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:validation:Required
// +kubebuilder:default={}
export interface WidgetSpec {
  // +kubebuilder:validation:AtMostOneOf=a;b
  a: string;
  // +kubebuilder:storageversion
  b: string;
  // +groupName=x
  c: string;
  d: Unknown;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
