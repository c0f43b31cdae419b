// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:default=first
  // +kubebuilder:default=last
  repeated?: string;
  // +kubebuilder:default=marker
  // +default="json"
  markerFirst?: string;
  // +default="json"
  // +kubebuilder:default=marker
  jsonFirst?: string;
  // +kubebuilder:default=stays
  // +default=null
  nullSaysNothing?: string;
  // +default=ref(Constant)
  // +kubebuilder:default=known
  reference?: string;
  // +kubebuilder:default=false
  false?: boolean;
  // +kubebuilder:default=0
  zero?: int32;
  // +kubebuilder:default=""
  empty?: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
