// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:validation:MinItems=1
	A string `json:"a"`
	// +kubebuilder:validation:MaxItems=1
	B map[string]string `json:"b"`
	// +kubebuilder:validation:UniqueItems=true
	C int32 `json:"c"`
	// +k8s:maxItems=1
	D string `json:"d"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
