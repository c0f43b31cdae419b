// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Base {
  // +kubebuilder:default=5
  // +kubebuilder:validation:Maximum=9
  count?: int32;
}

export interface Middle extends Base {
  // +k8s:immutable
  zone?: string;
}

export type Text = string;

export type Flag = boolean;

export type Number = int32;

// +kubebuilder:validation:Format=odd
export type OddNumber = Number;

// +kubebuilder:validation:XValidation:rule="true",message="own"
export type WidgetSpec = Base &
  Middle & {
    // +k8s:immutable
    name?: string;
    // +kubebuilder:default=""
    text?: Text;
    // +kubebuilder:default=false
    flag?: Flag;
    odd: OddNumber;
    // +kubebuilder:validation:Maximum=1_000
    ruled: int32;
    // +kubebuilder:validation:XValidation:rule="!false",message="'single' name that is the 'single' Deployment's & more …"
    quoted: string;
  };

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
