// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type A struct {
	One string `json:"one"`
}

type B struct {
	A   `json:",inline"`
	Two string `json:"two,omitempty"`
}

type C struct {
	*B    `json:",inline"`
	Three string `json:"three"`
}

type D struct {
	C    `json:",inline"`
	E    `json:",inline"`
	Four string `json:"four"`
}

// E is beside.
type E struct {
	// +kubebuilder:validation:MaxLength=5
	Five string `json:"five"`
}

type WidgetSpec struct {
	D    `json:",inline"`
	Six  string `json:"six"`
	List []D    `json:"list"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
