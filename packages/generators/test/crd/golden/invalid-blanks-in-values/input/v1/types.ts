// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:resource:shortName=a , path=x
// +kubebuilder:resource:path=,scope=Cluster
export interface Widget extends KubernetesObject {
  // +kubebuilder:validation:Enum=a ; b
  a: string;
  // +kubebuilder:default={k: v }
  b: Record<string, string>;
}
