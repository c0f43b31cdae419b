import type { int32 } from "@kubescaffold/k8s";

/** Height is measured in centimeters. */
export default interface Height {
  /** +kubebuilder:validation:Minimum=0 */
  low: int32;
  high: int32;
}
