import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Widget extends KubernetesObject {
  // +kubebuilder:validation:Minimum=
  spec: int32;
}
