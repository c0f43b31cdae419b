// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:validation:ExactlyOneOf=a
export interface Exactly {
  a?: string;
}

// +kubebuilder:validation:AtMostOneOf=a;b
// +kubebuilder:validation:AtMostOneOf=b;c
export interface AtMost {
  a?: string;
  b?: string;
  // +optional
  c: string;
}

// +kubebuilder:validation:AtLeastOneOf={"a",b}
// +kubebuilder:validation:AtLeastOneOf={}
export interface AtLeast {
  a?: string;
  b?: string;
}

export interface WidgetSpec {
  exactly: Exactly;
  atMost: AtMost;
  atLeast: AtLeast;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
