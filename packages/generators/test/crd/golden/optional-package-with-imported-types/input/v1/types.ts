// +groupName=golden.example.com
// +kubebuilder:validation:Optional
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Shared } from "../shared/types.ts";

export interface WidgetSpec {
  own: string;
  shared: Shared;
}

export interface Widget extends KubernetesObject {
  spec?: WidgetSpec;
}
