// +groupName=golden.example.com
import type { Bytes, int32 } from "@kubescaffold/k8s";
import type { KubernetesObject, Time } from "@kubescaffold/k8s/meta/v1";

export type Key = string;

export interface Inner {
  x: string;
}

// +kubebuilder:validation:MinLength=2
export type Value = string;

export interface WidgetSpec {
  texts: Record<string, string>;
  numbers: { [key: string]: int32 };
  objects: Record<string, Inner>;
  lists: Record<string, string[]>;
  nested: Record<string, Record<string, { [key: string]: boolean }>>;
  named: Record<string, Value>;
  byKey: Record<Key, string>;
  bytes: Record<string, Bytes>;
  times: Record<string, Time>;
  // +kubebuilder:validation:MinProperties=1
  // +kubebuilder:validation:MaxProperties=9
  bounded: Readonly<Record<string, string>>;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
