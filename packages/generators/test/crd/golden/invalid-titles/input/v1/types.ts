// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:title={a: b}
export interface WidgetSpec {
  // +kubebuilder:title=5
  a: string;
  // +kubebuilder:title={a,b}
  b: string;
  // +kubebuilder:title=true
  c: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
