// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:validation:Minimum=1
	A string `json:"a"`
	// +kubebuilder:validation:Maximum=1
	B bool `json:"b"`
	// +kubebuilder:validation:ExclusiveMinimum=true
	C string `json:"c"`
	// +kubebuilder:validation:ExclusiveMaximum=true
	D []int32 `json:"d"`
	// +kubebuilder:validation:MultipleOf=2
	E map[string]int32 `json:"e"`
	// +k8s:minimum=1
	F string `json:"f"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
