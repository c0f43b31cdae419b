// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:validation:Minimum=1.5
	A int32 `json:"a"`
	// +kubebuilder:validation:Maximum=0.1
	B int64 `json:"b"`
	// +kubebuilder:validation:MultipleOf=2.5
	C int `json:"c"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
