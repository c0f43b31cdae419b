// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:title={a: b}
type WidgetSpec struct {
	// +kubebuilder:title=5
	A string `json:"a"`
	// +kubebuilder:title={a,b}
	B string `json:"b"`
	// +kubebuilder:title=true
	C string `json:"c"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
