// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Inner {
  a?: string;
}

export interface WidgetSpec {
  // +kubebuilder:default={}
  list?: string[];
  // +kubebuilder:default={}
  table?: Record<string, string>;
  // +kubebuilder:default={}
  object?: Inner;
  // +kubebuilder:default={{}}
  nested?: Inner[];
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
