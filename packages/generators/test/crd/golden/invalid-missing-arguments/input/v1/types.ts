// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:printcolumn:name=Age,type=date
// +kubebuilder:subresource:scale:specpath=.spec.replicas
// +kubebuilder:selectablefield
export interface Widget extends KubernetesObject {
  // +kubebuilder:validation:XValidation:message="no rule"
  // +kubebuilder:validation:Minimum
  // +kubebuilder:default
  size: int32;
}
