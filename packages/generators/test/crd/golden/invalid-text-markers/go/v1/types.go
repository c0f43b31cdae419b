// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:validation:MinLength=1
	A int32 `json:"a"`
	// +kubebuilder:validation:MaxLength=1
	B []string `json:"b"`
	// +kubebuilder:validation:Pattern=^a
	C bool `json:"c"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
