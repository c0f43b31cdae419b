// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface NetworkPolicy extends KubernetesObject {
  spec?: string;
}
export interface Ingress extends KubernetesObject {
  spec?: string;
}
export interface Redis extends KubernetesObject {
  spec?: string;
}
export interface TestQuota extends KubernetesObject {
  spec?: string;
}
export interface MCPServer extends KubernetesObject {
  spec?: string;
}
// +kubebuilder:resource:scope=Cluster
export interface Alias extends KubernetesObject {
  spec?: string;
}
