// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Inner {
  x?: string;
}

export type Names = string[];

export interface WidgetSpec {
  // +kubebuilder:validation:MinLength=1
  inner: Inner;
  // +kubebuilder:validation:Minimum=1
  names: Names;
  // +listType=set
  object: Inner;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
