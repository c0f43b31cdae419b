// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { WidgetSpec } from "./b.ts";

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
