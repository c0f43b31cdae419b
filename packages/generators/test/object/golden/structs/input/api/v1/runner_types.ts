import type { PodTemplateSpec, ResourceRequirements, SecretKeySelector } from "@kubescaffold/k8s/core/v1";
import type { Condition, KubernetesObject, LabelSelector } from "@kubescaffold/k8s/meta/v1";

export interface RunnerSpec {
  template: PodTemplateSpec;
  selector?: LabelSelector;
  /** +kubebuilder:default={limits: {cpu: "1"}} */
  resources?: ResourceRequirements;
  /** +kubebuilder:validation:XValidation:rule="self.key != ''",message="needs a key" */
  secret?: SecretKeySelector;
}

export interface RunnerStatus {
  /**
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/** +kubebuilder:object:root=true */
export interface Runner extends KubernetesObject {
  spec: RunnerSpec;
  status?: RunnerStatus;
}
