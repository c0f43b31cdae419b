// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:metadata:annotations="from.example.com/v2=yes",labels="second=2"
export interface Widget extends KubernetesObject {}
