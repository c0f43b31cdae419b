// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Inner {
  a: string;
}

export interface Base {
  value: string;
}

export interface Derived extends Base {
  // @ts-expect-error another type
  value: boolean;
}

export interface Widget extends KubernetesObject {
  // +kubebuilder:validation:Type=string
  inner: Inner;
  derived: Derived;
}
