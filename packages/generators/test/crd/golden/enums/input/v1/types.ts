// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** Phase is where the widget is. */
export type Phase = "Pending" | "Running" | "Failed";

/** Color is an enum. */
export enum Color {
  Red = "red",
  Green = "green",
}

export type Level = 1 | 2 | 3;

export interface WidgetSpec {
  phase: Phase;
  /** The color of the field. */
  color?: Color;
  inline: "b" | "a";
  levels: Level[];
  // +kubebuilder:validation:Enum=Pending;Other
  typeWins: Phase;
  only: "one";
  // +kubebuilder:default=Pending
  defaulted?: Phase;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
