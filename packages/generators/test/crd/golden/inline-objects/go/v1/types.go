// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Inner struct {
	// The name.
	// +kubebuilder:validation:MaxLength=5
	Name string `json:"name"`
	Deep Deep   `json:"deep"`
}

type Deep struct {
	X string `json:"x,omitempty"`
}

type WidgetSpec struct {
	// The inner one.
	Inner Inner           `json:"inner"`
	List  []Deep          `json:"list"`
	Table map[string]Deep `json:"table"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
