// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:validation:XValidation:rule="self.a != 'x'",message="on the type"
export interface WidgetSpec {
  // +kubebuilder:validation:XValidation:rule="self != ''",message="m",messageExpression="'e'",reason=FieldValueInvalid,fieldPath=".x",optionalOldSelf=true
  a: string;
  // +kubebuilder:validation:XValidation:rule="self != ''",reason=FieldValueRequired
  // +kubebuilder:validation:XValidation:rule="self != ' '",reason=FieldValueForbidden
  // +kubebuilder:validation:XValidation:rule="self != '  '",reason=FieldValueDuplicate
  reasons: string;
  // +kubebuilder:validation:XValidation:optionalOldSelf=false,rule="self != ''"
  old: string;
  // +kubebuilder:validation:XValidation:rule=`self.all(x, x.startsWith("a"))`
  list: string[];
  // +kubebuilder:validation:XValidation:rule="self.all(k, self[k] != '')"
  table: Record<string, string>;
  // +kubebuilder:validation:XValidation:rule="has(self.x)",message=""
  inner: Inner;
}

// +kubebuilder:validation:XValidation:rule="size(self.x) > 0"
export interface Inner {
  x?: string;
}

// +kubebuilder:validation:XValidation:rule="self.metadata.name != 'x'"
export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
