// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface A {
  one: string;
}

export interface B extends A {
  two?: string;
}

export interface C extends B {
  three: string;
}

export interface D extends C, E {
  four: string;
}

/** E is beside. */
export interface E {
  // +kubebuilder:validation:MaxLength=5
  five: string;
}

export type WidgetSpec = D & {
  six: string;
  list: D[];
};

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
