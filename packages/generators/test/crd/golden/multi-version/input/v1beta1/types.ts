// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/**
 * Widget of v1beta1.
 * +kubebuilder:deprecatedversion:warning="use v1"
 * +kubebuilder:unservedversion
 */
export interface Widget extends KubernetesObject {
  spec: { count: int32 };
}
