// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:validation:XValidation:rule="self.min <= self.max",message="min must not exceed max"
// +kubebuilder:validation:XValidation:rule=`self.name.startsWith("w-")`,messageExpression="'bad ' + self.name",reason=FieldValueForbidden,fieldPath=".name"
type WidgetSpec struct {
	Min int32 `json:"min"`
	Max int32 `json:"max"`
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="immutable",optionalOldSelf=true
	Name string `json:"name"`
	// +kubebuilder:validation:items:XValidation:rule="self != ''"
	Words []string `json:"words,omitempty"`
	// +k8s:immutable
	Fixed string `json:"fixed,omitempty"`
	// +k8s:immutable
	FixedRequired string `json:"fixedRequired"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:validation:XValidation:rule="!has(oldSelf.fixed) || has(self.fixed)"
	Spec WidgetSpec `json:"spec"`
}
