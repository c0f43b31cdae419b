// +groupName=golden.example.com

import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// This group is far above the type.
// +kubebuilder:resource:shortName=lost

// +kubebuilder:subresource:status

/** The text of the type. */
// +kubebuilder:resource:shortName=near
export interface Widget extends KubernetesObject {
  //+kubebuilder:validation:Minimum=1
  noBlank: int32;
  //     +kubebuilder:validation:Minimum=2
  manyBlanks: int32;
  // +optional

  /** Text after an empty line. */
  separated: int32;
  /** +kubebuilder:validation:Minimum=3 */
  oneLine: int32;
  // +kubebuilder:default=1

  // +kubebuilder:default=2
  closestWins?: int32;
  plain: int32; /** belongs to nothing */
  last: int32;
}
