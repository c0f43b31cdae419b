// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:validation:XValidation:rule="self.min <= self.max",message="min must not exceed max"
// +kubebuilder:validation:XValidation:rule=`self.name.startsWith("w-")`,messageExpression="'bad ' + self.name",reason=FieldValueForbidden,fieldPath=".name"
export interface WidgetSpec {
  min: int32;
  max: int32;
  // +kubebuilder:validation:XValidation:rule="self == oldSelf",message="immutable",optionalOldSelf=true
  name: string;
  // +kubebuilder:validation:items:XValidation:rule="self != ''"
  words?: string[];
  // +k8s:immutable
  fixed?: string;
  // +k8s:immutable
  fixedRequired: string;
}

export interface Widget extends KubernetesObject {
  // +kubebuilder:validation:XValidation:rule="!has(oldSelf.fixed) || has(self.fixed)"
  spec: WidgetSpec;
}
