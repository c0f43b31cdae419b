// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:MinLength=0x1F
  a: string;
  // +kubebuilder:validation:MinLength=1_000
  b: string;
  // +kubebuilder:validation:MinLength=08
  c: string;
  // +kubebuilder:validation:MinLength="1"
  d: string;
  // +kubebuilder:validation:MinLength=1.5
  e: string;
  // +kubebuilder:validation:Minimum=five
  f: int32;
  // +kubebuilder:validation:Minimum=
  g: int32;
  // +kubebuilder:validation:ExclusiveMinimum=yes
  h: int32;
  // +kubebuilder:validation:ExclusiveMinimum="true"
  i: int32;
  // +k8s:maxItems=x
  j: string[];
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
