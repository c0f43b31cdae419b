// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:validation:items:MaxLength=1
	A string `json:"a"`
	// +kubebuilder:validation:items:Enum=a
	B map[string]string `json:"b"`
	// +kubebuilder:validation:items:Minimum=1
	C []string `json:"c"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
