// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:Minimum=one
  number: int32;
  // +kubebuilder:validation:MaxLength="5"
  text: string;
  // +kubebuilder:validation:Enum=a b ; c
  blank: string;
  // +kubebuilder:validation:Pattern="\d"
  escape: string;
  // +kubebuilder:validation:XValidation:rul="true"
  rule: string;
  // +default=hello
  json?: string;
  // +optional=yes
  flag?: string;
}

// +kubebuilder:printcolumn:name=Age,type=date
// +kubebuilder:resource:shortName=a,b
// +kubebuilder:object:root=maybe
export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
