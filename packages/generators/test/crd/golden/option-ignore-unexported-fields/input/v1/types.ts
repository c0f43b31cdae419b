// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export class WidgetSpec {
  size!: int32;
  private hidden: string = "";
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
