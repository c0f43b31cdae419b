import type { int32 } from "@kubescaffold/k8s";

/** Soil feeds. */
export interface Soil {
  /**
   * +kubebuilder:validation:Minimum=0
   * +kubebuilder:validation:Maximum=14
   * +kubebuilder:default=7
   */
  acidity?: int32;
}

/** Plant grows. */
export interface Plant {
  /** +kubebuilder:validation:MinLength=1 */
  name: string;
  soil?: Soil;
}
