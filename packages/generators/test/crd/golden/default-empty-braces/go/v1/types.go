// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Inner struct {
	A string `json:"a,omitempty"`
}

type WidgetSpec struct {
	// +kubebuilder:default={}
	List []string `json:"list,omitempty"`
	// +kubebuilder:default={}
	Table map[string]string `json:"table,omitempty"`
	// +kubebuilder:default={}
	Object Inner `json:"object,omitempty"`
	// +kubebuilder:default={{}}
	Nested []Inner `json:"nested,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
