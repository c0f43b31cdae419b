// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:validation:XValidation:rule="true",reason=Because
	A string `json:"a"`
	// +kubebuilder:validation:XValidation:rule="true",reason=fieldvalueinvalid
	B string `json:"b"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
