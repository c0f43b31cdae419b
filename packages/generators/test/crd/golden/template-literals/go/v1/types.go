// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:validation:Pattern=`^v[\s\S]*$`
	Version string `json:"version"`
	// +kubebuilder:validation:Pattern="^a-(x|y)$"
	Pair string `json:"pair"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
