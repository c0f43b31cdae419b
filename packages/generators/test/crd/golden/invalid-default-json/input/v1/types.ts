// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +default=hello
  a: string;
  // +default={"a":1
  b: string;
  // +default=
  c: string;
  // +default='x'
  d: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
