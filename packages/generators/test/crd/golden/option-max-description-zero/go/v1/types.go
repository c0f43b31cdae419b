// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Text of the type.
type WidgetSpec struct {
	// Text of the field.
	Size int32 `json:"size"`
	// +kubebuilder:title=stays
	Titled string `json:"titled"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
