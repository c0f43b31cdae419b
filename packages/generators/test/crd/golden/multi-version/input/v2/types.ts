// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/**
 * Widget that is not in the CRD.
 * +kubebuilder:skipversion
 */
export interface Widget extends KubernetesObject {
  spec?: string;
}
