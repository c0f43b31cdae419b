// +groupName=second.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  size: int32;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
