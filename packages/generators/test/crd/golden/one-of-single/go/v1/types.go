// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:validation:ExactlyOneOf=a
type Exactly struct {
	A string `json:"a,omitempty"`
}

// +kubebuilder:validation:AtMostOneOf=a;b
// +kubebuilder:validation:AtMostOneOf=b;c
type AtMost struct {
	A string `json:"a,omitempty"`
	B string `json:"b,omitempty"`
	// +optional
	C string `json:"c"`
}

// +kubebuilder:validation:AtLeastOneOf={"a",b}
// +kubebuilder:validation:AtLeastOneOf={}
type AtLeast struct {
	A string `json:"a,omitempty"`
	B string `json:"b,omitempty"`
}

type WidgetSpec struct {
	Exactly Exactly `json:"exactly"`
	AtMost  AtMost  `json:"atMost"`
	AtLeast AtLeast `json:"atLeast"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
