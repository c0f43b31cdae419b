// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type * as v1 from "../v1/types.ts";

export interface WidgetSpec {
  /** From the other version. */
  shared: v1.Shared;
  more: v1.Shared[];
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
