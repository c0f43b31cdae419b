// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:subresources:status
// +kubebuilder:print-column:name=A,type=string,JSONPath=.a
export interface Widget extends KubernetesObject {
  // +kubebuilder:validation:minimum=1
  a: int32;
  // +kubebuilder:validation:optional
  b: string;
  // +kubebuilder:validation:Nullable
  c: string;
  // +kubebuilder:validation:OneOf=a;b
  d: string;
  // +kubebuilder:validation:ListType=set
  e: string[];
  // +kubebuilder:validation:XEmbedded
  f: Record<string, string>;
  // +kubebuilder:deprecated
  g: string;
  // +k8s:customValidation
  h: string;
  // +optional because it is
  i: string;
  // + optional
  j: string;
  // +kubebuilder:validation:MinLength =1
  k: string;
  l: Unknown;
}
