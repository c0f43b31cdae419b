// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export type Names = string[];

export interface WidgetSpec {
  // +kubebuilder:default={}
  names?: Names;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
