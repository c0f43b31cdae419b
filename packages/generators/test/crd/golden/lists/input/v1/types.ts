// +groupName=golden.example.com
import type { Bytes, int64 } from "@kubescaffold/k8s";
import type { KubernetesObject, Time } from "@kubescaffold/k8s/meta/v1";

export interface Inner {
  x: string;
}

// +kubebuilder:validation:MaxLength=7
export type Short = string;

export interface WidgetSpec {
  texts: string[];
  deep: readonly (readonly int64[][])[];
  inners: Array<Inner>;
  maps: ReadonlyArray<Record<string, string>>;
  shorts: Short[];
  bytes: Bytes[];
  times: Time[];
  // +kubebuilder:validation:MinItems=1
  // +kubebuilder:validation:MaxItems=2
  // +kubebuilder:validation:UniqueItems=true
  bounded: string[];
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
