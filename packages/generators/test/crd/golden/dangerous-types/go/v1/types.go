// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:validation:Minimum=0.5
	// +kubebuilder:validation:Maximum=1e+21
	// +kubebuilder:validation:MultipleOf=0.25
	// +kubebuilder:default=1.50
	Single float32 `json:"single"`
	// +kubebuilder:validation:Enum=1234567.5;0.00001;2.50
	Double float64 `json:"double"`
	Bare   float64 `json:"bare"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
