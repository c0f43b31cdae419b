// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** Phase is a phase. */
export enum Phase {
  Pending = "pending",
  Running = "running",
}

export const enum Level {
  Zero,
  One,
  Five = 5,
  Six,
}

export type One = 1;

export interface WidgetSpec {
  phase: Phase;
  level: Level;
  only: Phase.Running;
  one: One;
  true: true;
  both: true | false;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
