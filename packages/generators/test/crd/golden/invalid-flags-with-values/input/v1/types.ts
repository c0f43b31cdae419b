// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:subresource:status=true
// +kubebuilder:storageversion=yes
export interface Widget extends KubernetesObject {
  // +optional=true
  a: string;
  // +nullable=false
  b: string;
  // +k8s:required=x
  c: string;
}
