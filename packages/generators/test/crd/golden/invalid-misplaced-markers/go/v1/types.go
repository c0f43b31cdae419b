// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:validation:Required
// +kubebuilder:default={}
type WidgetSpec struct {
	// +kubebuilder:validation:AtMostOneOf=a;b
	A string `json:"a"`
	// +kubebuilder:storageversion
	B string `json:"b"`
	// +groupName=x
	C string `json:"c"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
