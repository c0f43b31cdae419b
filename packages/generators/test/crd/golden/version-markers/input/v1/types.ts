// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:storageversion
// +kubebuilder:printcolumn:name=Size,type=integer,JSONPath=.spec.size
// +kubebuilder:subresource:status
export interface Widget extends KubernetesObject {
  size?: int32;
}
