// +groupName=golden.example.com
import type { Bytes } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export type Data = Bytes;

export interface WidgetSpec {
  data: Data;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
