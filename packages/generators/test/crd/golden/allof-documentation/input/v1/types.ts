// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/**
 * The text of the type.
 * +kubebuilder:title="type"
 * +kubebuilder:externalDocs:url="https://example.com/type"
 */
export type Text = string;

export interface WidgetSpec {
  plain: Text;
  /** The text of the field. */
  described: Text;
  // +kubebuilder:title="field"
  // +kubebuilder:externalDocs:url="https://example.com/field"
  // +kubebuilder:example="from field"
  marked: Text;
  // +kubebuilder:default="x"
  defaulted?: Text;
  // +nullable
  nullable?: Text;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
