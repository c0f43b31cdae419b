// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:resource:shortName=wi,scope=Cluster
// +kubebuilder:storageversion
export interface Widget extends KubernetesObject {
  old?: string;
}
