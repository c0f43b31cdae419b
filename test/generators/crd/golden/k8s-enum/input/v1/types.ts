// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +k8s:enum
export type Phase = "alpha" | "beta" | "charlie";

export interface WidgetSpec {
  phase: Phase;
  /** Several of them. */
  phases?: Phase[];
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
