// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:resource:shortName=wi,scope=Cluster
export interface Widget extends KubernetesObject {
  new?: string;
}
