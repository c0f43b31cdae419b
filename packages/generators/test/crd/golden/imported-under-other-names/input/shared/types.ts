import type { int32 } from "@kubescaffold/k8s";

/** Port is a port. */
export interface Port {
  // +kubebuilder:validation:Minimum=1
  number: int32;
}

// +kubebuilder:validation:MinLength=1
export type Name = string;
