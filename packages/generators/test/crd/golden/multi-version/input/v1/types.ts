// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/**
 * Widget of v1.
 * +kubebuilder:storageversion
 * +kubebuilder:subresource:status
 */
export interface Widget extends KubernetesObject {
  spec: { size: int32 };
}
