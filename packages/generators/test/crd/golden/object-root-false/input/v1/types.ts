// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:object:root=false
export interface Widget extends KubernetesObject {}
