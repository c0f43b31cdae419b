// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +k8s:enum
export type Level = int32;

// +k8s:enum
export type Empty = string;

// +kubebuilder:validation:Enum={Bee}
// +k8s:enum
export interface Item {}

export interface WidgetSpec {
  a: Level;
  b: Empty;
  c: Item;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
