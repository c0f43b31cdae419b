// +groupName=golden.example.com
import type { Condition, KubernetesObject, LabelSelector } from "@kubescaffold/k8s/meta/v1";
import type { LocalObjectReference, ObjectReference, PodTemplateSpec, ResourceRequirements, SecretKeySelector, EnvVar, Toleration } from "@kubescaffold/k8s/core/v1";

export interface WidgetSpec {
  template: PodTemplateSpec;
  reference?: LocalObjectReference;
  objects?: ObjectReference[];
  resources?: ResourceRequirements;
  secrets?: Record<string, SecretKeySelector>;
  env?: EnvVar[];
  tolerations?: Toleration[];
  selector?: LabelSelector;
  // +listType=map
  // +listMapKey=type
  conditions?: Condition[];
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
