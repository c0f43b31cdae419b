// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:deprecatedversion
// +kubebuilder:unservedversion
// +kubebuilder:subresource:scale:specpath=.size,statuspath=.size
export interface Widget extends KubernetesObject {}
