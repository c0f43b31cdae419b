import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** +kubebuilder:validation:MinProperties=1 */
export interface Thing extends KubernetesObject {
  name?: string;
}
