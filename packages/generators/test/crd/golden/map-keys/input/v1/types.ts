// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:validation:Pattern="^[a-z]+$"
export type Zone = string;

// +kubebuilder:validation:MinItems=3
export type Rack = Zone;

export interface WidgetSpec {
  plain: Record<string, int32>;
  zones: Record<Zone, int32>;
  racks: { [rack: Rack]: int32 };
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
