// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:printcolumn:name=Age,type=date,jsonPath=.metadata.creationTimestamp
// +kubebuilder:resource:shortNames=w
export interface Widget extends KubernetesObject {
  // +kubebuilder:validation:XValidation:rule="true",messageexpression="'x'"
  size: int32;
}
