// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  /** The inner one. */
  inner: {
    /**
     * The name.
     * +kubebuilder:validation:MaxLength=5
     */
    name: string;
    deep: { x?: string };
  };
  list: { x?: string }[];
  table: Record<string, { x?: string }>;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
