// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Inner struct {
	X string `json:"x,omitempty"`
}

type Names []string

type WidgetSpec struct {
	// +kubebuilder:validation:MinProperties=1
	Inner Inner `json:"inner"`
	// +kubebuilder:validation:MaxItems=3
	// +kubebuilder:validation:items:MaxLength=5
	Names Names `json:"names"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
