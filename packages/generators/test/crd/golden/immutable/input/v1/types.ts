// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Inner {
  // +k8s:immutable
  zone?: string;
}

export interface WidgetSpec {
  // +k8s:immutable
  first?: string;
  // +k8s:immutable
  // +required
  second?: string;
  // +k8s:immutable
  third: string;
  // +k8s:immutable
  // +optional
  fourth: Inner;
  // +k8s:immutable
  // +kubebuilder:validation:XValidation:rule="self != ''"
  fifth: string;
}

// +kubebuilder:validation:XValidation:rule="true"
export interface Ruled {
  // +k8s:immutable
  fixed?: string;
}

export interface Widget extends KubernetesObject {
  // +k8s:immutable
  spec?: WidgetSpec;
  ruled: Ruled;
}
