// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:unservedversion
export interface Widget extends KubernetesObject {}
