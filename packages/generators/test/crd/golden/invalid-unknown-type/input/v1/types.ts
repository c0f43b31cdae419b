// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  a: Unknown;
  b: Unknown[];
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
