// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:XValidation:rule="true",reason=Because
  a: string;
  // +kubebuilder:validation:XValidation:rule="true",reason=fieldvalueinvalid
  b: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
