// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:validation:XValidation:rule="has(self.a)"
// +kubebuilder:validation:MinProperties=1
// +kubebuilder:validation:MaxProperties=5
type First struct {
	A string `json:"a,omitempty"`
}

// +kubebuilder:validation:XValidation:rule="has(self.b)"
// +kubebuilder:validation:AtLeastOneOf=b;c
type Second struct {
	B string `json:"b,omitempty"`
	C string `json:"c,omitempty"`
}

// +kubebuilder:validation:XValidation:rule="has(self.d)"
// +kubebuilder:validation:MinProperties=1
// +kubebuilder:validation:MaxProperties=4
type WidgetSpec struct {
	First  `json:",inline"`
	Second `json:",inline"`
	D      string `json:"d,omitempty"`
	// +k8s:immutable
	E string `json:"e,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
