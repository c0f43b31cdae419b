import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** +kubebuilder:object:root=true */
export interface Thing extends KubernetesObject {
  name?: string;
}
