// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** Text of the type. */
export interface WidgetSpec {
  /** Text of the field. */
  size: int32;
  // +kubebuilder:title=stays
  titled: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
