// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Inner {
  x?: string;
}

export type Name = string;

export interface WidgetSpec {
  // +k8s:required
  text: string;
  // +k8s:required
  number: int32;
  // +k8s:required
  flag: boolean;
  // +k8s:required
  list: string[];
  // +k8s:required
  table: Record<string, string>;
  // +k8s:required
  named: Name;
  // +k8s:required
  inner: Inner;
  // +k8s:required
  // +kubebuilder:validation:MinLength=5
  longer: string;
  // +kubebuilder:validation:MinItems=3
  // +k8s:required
  more: string[];
  // +k8s:required
  omitted?: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
