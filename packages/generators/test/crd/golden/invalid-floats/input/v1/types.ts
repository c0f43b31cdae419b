// +groupName=golden.example.com
import type { float32, float64 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  a: float32;
  b: float64;
  c: float64[];
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
