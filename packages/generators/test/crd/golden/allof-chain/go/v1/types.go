// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:validation:XValidation:rule="self != '3'"
// +kubebuilder:validation:MinLength=3
type T3 string

// +kubebuilder:validation:XValidation:rule="self != '4'"
// +kubebuilder:validation:MinLength=4
type T4 T3

// +kubebuilder:validation:XValidation:rule="self != '5'"
// +kubebuilder:validation:MinLength=5
type T5 T4

type WidgetSpec struct {
	// +kubebuilder:validation:XValidation:rule="self != 'f'"
	// +kubebuilder:validation:MinLength=6
	Field T5 `json:"field"`
	Plain T5 `json:"plain"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
