// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:MaxLength=3
  // +kubebuilder:validation:MaxLength=8
  lastWins: string;
  // +kubebuilder:validation:MaxLength:=4
  colon: string;
  // +kubebuilder:validation:MaxLength:anything=9
  segment: string;
  // +kubebuilder:validation:Enum=a;b
  // +kubebuilder:validation:Enum=c;d
  firstEnum: string;
  // +kubebuilder:validation:XValidation:rule="1 == 1"
  // +kubebuilder:validation:XValidation:rule="2 == 2",rule="3 == 3"
  rules: string;
  // +kubebuilder:title=one
  // +kubebuilder:title=two
  title: string;
}

// +kubebuilder:resource:shortName=a;b,shortName=c
export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
