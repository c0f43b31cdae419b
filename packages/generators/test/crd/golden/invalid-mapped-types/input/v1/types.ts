// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  renamed: { [K in "a" | "b" as `x${K}`]: string };
  unknown: { [K in Missing]: string };
  untyped: { [K in "a"] };
  wrong: { [K in "a" | "b"]: Date };
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
