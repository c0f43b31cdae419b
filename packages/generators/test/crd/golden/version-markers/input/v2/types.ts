// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:deprecatedversion:warning="v2 is going; use v1"
// +kubebuilder:selectablefield:JSONPath=.spec.count
export interface Widget extends KubernetesObject {
  count?: int32;
}
