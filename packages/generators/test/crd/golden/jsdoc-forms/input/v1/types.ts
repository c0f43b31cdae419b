// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  /** One line. */
  oneLine: string;
  /**
   * The text ends at the first block tag.
   * @remarks not this
   * +kubebuilder:validation:MaxLength=5
   */
  tags: string;
  /** A link to {@link Widget} stays a word, and so does mail to a@b.example. */
  link: string;
  /** +kubebuilder:validation:Pattern=`^a*\/b$` */
  escape: string;
  /**
  Without stars
  on its lines.
  */
  noStars: string;
  // Not a description.
  plain: string;
  /** Not this one. */
  /** The adjacent block counts. */
  two: string;
  /* +kubebuilder:validation:MinLength=1 */
  block: string;
  /** Text beside.
   *
   * A paragraph. */
  starred: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
