import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Boat extends KubernetesObject {
  spec?: { sails?: boolean };
}

/** +kubebuilder:ac:generate=false */
export interface Raft extends KubernetesObject {
  spec?: { logs?: boolean };
}
