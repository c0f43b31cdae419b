// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Base struct {
	// +kubebuilder:default=5
	// +kubebuilder:validation:Maximum=9
	Count int32 `json:"count,omitempty"`
}

type Middle struct {
	Base `json:",inline"`
	// +k8s:immutable
	Zone string `json:"zone,omitempty"`
}

type Text string

type Flag bool

type Number int32

// +kubebuilder:validation:Format=odd
type OddNumber Number

// +kubebuilder:validation:XValidation:rule="true",message="own"
type WidgetSpec struct {
	Base   `json:",inline"`
	Middle `json:",inline"`
	// +k8s:immutable
	Name string `json:"name,omitempty"`
	// +kubebuilder:default=""
	Text Text `json:"text,omitempty"`
	// +kubebuilder:default=false
	Flag Flag      `json:"flag,omitempty"`
	Odd  OddNumber `json:"odd"`
	// +kubebuilder:validation:Maximum=1_000
	Ruled int32 `json:"ruled"`
	// +kubebuilder:validation:XValidation:rule="!false",message="'single' name that is the 'single' Deployment's & more …"
	Quoted string `json:"quoted"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
