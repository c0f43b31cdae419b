// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Base is inherited.
// +kubebuilder:validation:XValidation:rule="has(self.a)",message="base"
// +kubebuilder:validation:MinProperties=1
type Base struct {
	// a of the base.
	// +kubebuilder:validation:MinLength=2
	A string `json:"a"`
	B int32  `json:"b,omitempty"`
}

// Middle is inherited too.
type Middle struct {
	Base `json:",inline"`
	C    string `json:"c"`
}

// +kubebuilder:validation:XValidation:rule="has(self.d)",message="spec"
type WidgetSpec struct {
	Middle `json:",inline"`
	// d is its own.
	D string `json:"d"`
}

type Redeclares struct {
	Base `json:",inline"`
	// a of the derived one.
	// +kubebuilder:validation:MaxLength=9
	A string `json:"a"`
}

type Both struct {
	Middle `json:",inline"`
	Extra  `json:",inline"`
}

type Extra struct {
	E string `json:"e"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec       WidgetSpec `json:"spec"`
	Redeclares *Redeclares `json:"redeclares,omitempty"`
	Both       *Both       `json:"both,omitempty"`
}
