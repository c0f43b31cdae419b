// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +k8s:enum
export type Level = int32;

// +k8s:enum
export type Empty = string;

export interface WidgetSpec {
  a: Level;
  b: Empty;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
