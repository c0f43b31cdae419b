// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Port {
  name: string;
}

const values = [1, "a"] as const;

export interface WidgetSpec {
  missing: Port["number"];
  mixed: (typeof values)[number];
  whole: typeof values;
  keys: keyof string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
