// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:validation:XValidation:rule="self.a != 'x'",message="on the type"
type WidgetSpec struct {
	// +kubebuilder:validation:XValidation:rule="self != ''",message="m",messageExpression="'e'",reason=FieldValueInvalid,fieldPath=".x",optionalOldSelf=true
	A string `json:"a"`
	// +kubebuilder:validation:XValidation:rule="self != ''",reason=FieldValueRequired
	// +kubebuilder:validation:XValidation:rule="self != ' '",reason=FieldValueForbidden
	// +kubebuilder:validation:XValidation:rule="self != '  '",reason=FieldValueDuplicate
	Reasons string `json:"reasons"`
	// +kubebuilder:validation:XValidation:optionalOldSelf=false,rule="self != ''"
	Old string `json:"old"`
	// +kubebuilder:validation:XValidation:rule=`self.all(x, x.startsWith("a"))`
	List []string `json:"list"`
	// +kubebuilder:validation:XValidation:rule="self.all(k, self[k] != '')"
	Table map[string]string `json:"table"`
	// +kubebuilder:validation:XValidation:rule="has(self.x)",message=""
	Inner Inner `json:"inner"`
}

// +kubebuilder:validation:XValidation:rule="size(self.x) > 0"
type Inner struct {
	X string `json:"x,omitempty"`
}

// +kubebuilder:validation:XValidation:rule="self.metadata.name != 'x'"
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
