// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:validation:XValidation:rule="has(self.a)"
// +kubebuilder:validation:MinProperties=1
// +kubebuilder:validation:MaxProperties=5
export interface First {
  a?: string;
}

// +kubebuilder:validation:XValidation:rule="has(self.b)"
// +kubebuilder:validation:AtLeastOneOf=b;c
export interface Second {
  b?: string;
  c?: string;
}

// +kubebuilder:validation:XValidation:rule="has(self.d)"
// +kubebuilder:validation:MinProperties=1
// +kubebuilder:validation:MaxProperties=4
export interface WidgetSpec extends First, Second {
  d?: string;
  // +k8s:immutable
  e?: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
