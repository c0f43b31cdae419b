// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Inner {
  /**
   * a of inner.
   * +kubebuilder:validation:MaxLength=5
   */
  a: string;
  b: int32;
}

export interface Loose {
  a?: string;
  b?: int32;
}

export type Optional<T> = { [K in keyof T]?: T[K] };

export interface WidgetSpec {
  flags: { [K in "x" | "y"]?: boolean };
  partial: Optional<Inner>;
  required: { readonly [K in keyof Loose]-?: Loose[K] };
  texts: { [K in keyof Loose]-?: string };
  table: { [K in string]: int32 };
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
