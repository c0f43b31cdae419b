// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:title="The type"
export interface Inner {
  // +kubebuilder:example="abc"
  x?: string;
}

export interface WidgetSpec {
  fromType: Inner;
  // +kubebuilder:title="The field"
  fromField: Inner;
  // +kubebuilder:title=bare words
  // +kubebuilder:example={a,b}
  list: string[];
  // +kubebuilder:example={x: y}
  object: Inner;
  // +kubebuilder:example=false
  flag: boolean;
  // +kubebuilder:example=0
  zero: int32;
  // +kubebuilder:example=""
  empty: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
