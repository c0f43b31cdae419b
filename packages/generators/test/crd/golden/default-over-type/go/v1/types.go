// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	Inner Inner `json:"inner,omitempty"`
	// +kubebuilder:default={a: "outer"}
	Given Inner `json:"given,omitempty"`
}

type Inner struct {
	// +kubebuilder:default="own"
	A string `json:"a,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
