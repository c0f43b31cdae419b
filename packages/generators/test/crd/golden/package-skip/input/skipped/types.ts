// +groupName=golden.example.com
// +kubebuilder:skip
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface GadgetSpec {
  size: int32;
}

export interface Gadget extends KubernetesObject {
  spec: GadgetSpec;
}
