// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:validation:Type=string
type Text struct {
	X string `json:"x"`
}

type Base struct {
	A string `json:"a"`
}

type WidgetSpec struct {
	Base `json:",inline"`
	// +optional
	A int32 `json:"a"`
	// +kubebuilder:validation:Type=string
	B Inner `json:"b"`
}

type Inner struct {
	X string `json:"x"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
