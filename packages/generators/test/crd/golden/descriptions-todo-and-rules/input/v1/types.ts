// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  /**
   * Before.
   * TODO: dropped
   * After.
   */
  todo: string;
  /**
   * Text.
   * ---
   * Cut.
   */
  cut: string;
  /**
   * Text.
   *
   * ---
   * Cut after an empty line.
   */
  cutEmpty: string;
  /** TODO only */
  nothing: string;
  /**
   * ```
   * TODO: stays in a fence
   * ---
   * ```
   * TODO: goes behind it
   */
  fence: string;
  /**
   * ~~~
   * ---
   * ~~~
   */
  tildes: string;
  /**
   * One.
   *
   *
   * Two.
   */
  blank: string;
  /**
   * Keeps   blanks inside	and tabs.
   *     Indented.
   */
  blanks: string;
  /** TODOs are no TODO? They are. */
  todos: string;
  /** Deprecated: use another. */
  deprecated: string;
  /**
   *+kubebuilder:validation:MaxLength=5
   * Text below a marker.
   *+optional
   * And more.
   */
  around: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
