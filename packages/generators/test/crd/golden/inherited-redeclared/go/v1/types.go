// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Base is the base.
type Base struct {
	// a of the base.
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:default="base"
	A string `json:"a,omitempty"`
	B string `json:"b"`
	C Inner  `json:"c"`
}

type Inner struct {
	X string `json:"x"`
}

type Spec struct {
	Base `json:",inline"`
	// a of the spec.
	// +kubebuilder:validation:MinLength=3
	// +kubebuilder:default="spec"
	A string `json:"a"`
	// +optional
	B string `json:"b,omitempty"`
	// c of the spec.
	C Other `json:"c"`
}

type Other struct {
	Y string `json:"y"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Base `json:",inline"`
	// a of the kind.
	// +kubebuilder:validation:MinLength=4
	A    string `json:"a,omitempty"`
	Spec Spec   `json:"spec"`
}
