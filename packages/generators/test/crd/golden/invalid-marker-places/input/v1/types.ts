// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:Minimun=1
  typo: int32;
  // +kubebuilder:Validation:Maximum=1
  upper: int32;
  // +kubebuilder:resource:shortName=x
  resource: string;
  // +optional because we can
  prose: string;
  // +Nullable
  bare: string;
  // +someone-elses:marker=1
  other: string;
  last: Unknown; // +optional
  // +kubebuilder:validation:MinLength=1
}

// +optional
export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
