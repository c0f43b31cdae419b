// +groupName=golden.example.com
// +kubebuilder:skip
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Skipped extends KubernetesObject {
  spec?: string;
}
