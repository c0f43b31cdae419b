// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  a: Record<int32, string>;
  b: { [key: number]: string };
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
