// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +optional

	// Text.
	// +kubebuilder:validation:MinLength=1
	Both string `json:"both"`

	// +kubebuilder:validation:MaxLength=1

	// +kubebuilder:validation:MaxLength=2

	// The closest groups count.
	Closest string `json:"closest"`
	// +kubebuilder:validation:MaxLength=3

	// +kubebuilder:validation:MaxLength=4
	Adjacent string `json:"adjacent"`

	// Text.
	Next string `json:"next"`
}

// +kubebuilder:subresource:status

// +kubebuilder:resource:shortName=wi

// Widget has text.
// +kubebuilder:storageversion
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
