// +groupName=golden.example.com
// +versionName=v1alpha7
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** Widget of v1alpha7. */
// +kubebuilder:deprecatedversion
export interface Widget extends KubernetesObject {
  spec?: string;
}
