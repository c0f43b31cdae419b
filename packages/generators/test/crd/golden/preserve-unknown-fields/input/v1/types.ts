// +groupName=golden.example.com
import type { JSONValue, RawExtension } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:pruning:PreserveUnknownFields
  field: Inner;
  // +kubebuilder:validation:XPreserveUnknownFields
  long: Inner;
  typed: Open;
  raw: RawExtension;
  any: JSONValue;
  table: Record<string, JSONValue>;
  list: JSONValue[];
  // +kubebuilder:pruning:PreserveUnknownFields
  // +kubebuilder:validation:Schemaless
  nothing: Inner;
}

export interface Inner {
  x?: string;
}

// +kubebuilder:pruning:PreserveUnknownFields
export interface Open {
  x?: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
