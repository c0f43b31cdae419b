// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Base {
  a: string;
}

// @ts-ignore: the property has another type
export interface WidgetSpec extends Base {
  // +optional
  a: int32;
  // +kubebuilder:validation:Type=string
  b: Inner;
}

export interface Inner {
  x: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
