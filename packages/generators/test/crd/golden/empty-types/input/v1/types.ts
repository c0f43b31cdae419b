// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Nothing {}

export interface WidgetSpec {
  nothing: Nothing;
  /** Text. */
  described?: Nothing;
}

export interface Gadget extends KubernetesObject {}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
