// +groupName=golden.example.com
import type { int32, int64 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +k8s:minimum=1
  // +k8s:maximum=10
  both: int32;
  // +k8s:minimum=-3 # the lowest that makes sense
  commented: int32;
  // +k8s:maximum=+7
  signed: int64;
  // +k8s:maxItems=4 # more are slow
  list: string[];
  // +k8s:maxItems=2
  // +kubebuilder:validation:MaxItems=9
  twice: string[];
  // +kubebuilder:validation:Minimum=5
  // +k8s:minimum=2
  later: int32;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
