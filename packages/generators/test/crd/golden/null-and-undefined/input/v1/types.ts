// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/**
 * Name is a name.
 * +kubebuilder:validation:MaxLength=5
 */
export type Name = string;

export interface Inner {
  x: string;
}

export interface WidgetSpec {
  text: string | null;
  number?: int32 | null;
  named: Name | null;
  inner: Inner | null;
  list: string[] | null;
  table: Record<string, string> | null;
  maybe: string | undefined;
  both: string | null | undefined;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
