// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:validation:ExactlyOneOf=a;b
// +kubebuilder:validation:AtMostOneOf=c;d
// +kubebuilder:validation:AtLeastOneOf=e;f
// +kubebuilder:validation:AtMostOneOf={e,f}
// +kubebuilder:validation:XValidation:rule="true"
export interface WidgetSpec {
  a?: string;
  b?: string;
  c?: string;
  d?: string;
  e?: string;
  f?: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
