// +groupName=golden.example.com
import type { LocalObjectReference } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  reference: LocalObjectReference;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
