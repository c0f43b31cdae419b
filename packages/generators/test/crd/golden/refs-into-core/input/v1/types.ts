// +groupName=golden.example.com
import type { Affinity, EnvVar, LocalObjectReference, PodTemplateSpec, TypedLocalObjectReference } from "@kubescaffold/k8s/core/v1";
import type { Quantity } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  /** The template. */
  // +optional
  template: PodTemplateSpec;
  // +kubebuilder:validation:MinItems=1
  // +listType=map
  // +listMapKey=name
  env: EnvVar[];
  // +kubebuilder:default={name: "x"}
  secret?: LocalObjectReference;
  // +structType=atomic
  claim?: TypedLocalObjectReference;
  // +kubebuilder:validation:XValidation:rule="has(self.cpu)"
  limits: Record<string, Quantity>;
  affinity: Affinity;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
