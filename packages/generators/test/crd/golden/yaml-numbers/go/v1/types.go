// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:validation:Maximum=9223372036854775807
	// +kubebuilder:validation:Minimum=-9223372036854775808
	Huge int64 `json:"huge"`
	// +kubebuilder:validation:Maximum=1e21
	// +kubebuilder:validation:Minimum=0.00001
	// +kubebuilder:validation:MultipleOf=1234567.5
	Float float64 `json:"float"`
	// +kubebuilder:validation:Maximum=123456789.25
	// +kubebuilder:validation:Minimum=-0.1
	// +kubebuilder:validation:MultipleOf=2.50
	Other float32 `json:"other"`
	// +kubebuilder:validation:Maximum=1e3
	// +kubebuilder:validation:Minimum=+5
	Exponent int32 `json:"exponent"`
	// +kubebuilder:validation:Enum=1;2;3
	Enum int32 `json:"enum"`
	// +kubebuilder:validation:Enum={1.5,2.5}
	Floats float64 `json:"floats"`
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=0.0
	Zero float64 `json:"zero"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
