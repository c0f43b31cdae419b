// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +optional

  /**
   * Text.
   * +kubebuilder:validation:MinLength=1
   */
  both: string;

  // +kubebuilder:validation:MaxLength=2

  /** The closest groups count. */
  closest: string;
  // +kubebuilder:validation:MaxLength=3

  // +kubebuilder:validation:MaxLength=4
  adjacent: string;

  /** Text. */
  next: string;
}

// +kubebuilder:resource:shortName=wi

/**
 * Widget has text.
 * +kubebuilder:storageversion
 */
export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
