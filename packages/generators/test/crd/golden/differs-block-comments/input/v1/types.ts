// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  /* +kubebuilder:validation:MaxLength=5 */
  name: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
