// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** Phase is a phase. */
export type Phase = "Pending" | "Running" | "Done";

export interface WidgetSpec {
  phase: Phase;
  inline: "b" | "a";
  phases: Phase[];
  items: ("x" | "y")[];
  table: Record<string, Phase>;
  single: "only";
  // +kubebuilder:default=Done
  defaulted?: Phase;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
