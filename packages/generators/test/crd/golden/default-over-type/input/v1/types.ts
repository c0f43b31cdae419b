// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  inner?: Inner;
  // +kubebuilder:default={a: "outer"}
  given?: Inner;
}

export interface Inner {
  // +kubebuilder:default="own"
  a?: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
