// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:resource:shortName=a,b
// +kubebuilder:resource:shortName={a,b
// +kubebuilder:printcolumn:name=A,type=string,JSONPath=.a,
export interface Widget extends KubernetesObject {
  // +kubebuilder:validation:Pattern="not ended
  a: string;
  // +kubebuilder:validation:Pattern=`not ended
  b: string;
  // +kubebuilder:validation:Pattern="\d+"
  c: string;
  // +kubebuilder:default={a: 1
  d: string;
  // +kubebuilder:default={a: 1 b: 2}
  e: string;
  // +kubebuilder:default={1,a}
  f: string;
  // +kubebuilder:default=a,b
  g: string;
}
