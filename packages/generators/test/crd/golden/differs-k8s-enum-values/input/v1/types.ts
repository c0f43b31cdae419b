// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** +k8s:enum */
export type Phase = "Running" | "Pending";

export interface WidgetSpec {
  phase: Phase;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
