// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:validation:AtMostOneOf=a.x;b
type WidgetSpec struct {
	A Inner  `json:"a,omitempty"`
	B string `json:"b,omitempty"`
}

type Inner struct {
	X string `json:"x,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
