import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** Widget turns. */
export interface Widget extends KubernetesObject {
  spec?: WidgetSpec;
}

/** WidgetSpec says how. */
export interface WidgetSpec {
  /**
   * Size counts. It is
   * small.
   * +kubebuilder:validation:Minimum=1
   */
  size: int32;
  /**
   * Color is seen.
   * +kubebuilder:default=red
   * +kubebuilder:validation:Enum=red;green
   */
  color?: string;
}
