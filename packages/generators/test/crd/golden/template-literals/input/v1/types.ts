// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  version: `v${string}`;
  pair: `a-${"x" | "y"}`;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
