// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=10
// +kubebuilder:validation:Pattern=^t
// +kubebuilder:validation:Format=hostname
type Text string

// +kubebuilder:validation:Minimum=1
// +kubebuilder:validation:Maximum=10
// +kubebuilder:validation:MultipleOf=2
// +kubebuilder:validation:ExclusiveMinimum=true
type Number int32

type WidgetSpec struct {
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=10
	// +kubebuilder:validation:Pattern=^u
	// +kubebuilder:validation:Format=uri
	All Text `json:"all"`
	// +kubebuilder:validation:Pattern=^t
	// +kubebuilder:validation:Format=hostname
	Same Text `json:"same"`
	// +kubebuilder:validation:MaxLength=3
	One Text `json:"one"`
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=5
	// +kubebuilder:validation:MultipleOf=3
	// +kubebuilder:validation:ExclusiveMinimum=true
	Numbers Number `json:"numbers"`
	// +kubebuilder:validation:ExclusiveMaximum=true
	Exclusive Number `json:"exclusive"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
