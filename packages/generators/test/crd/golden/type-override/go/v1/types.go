// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=3
	Number int32 `json:"number"`
	// +kubebuilder:validation:Format=uri
	// +kubebuilder:validation:Type=string
	Text string `json:"text"`
	// +kubebuilder:validation:Type=""
	Cleared string `json:"cleared"`
	Typed   Opaque `json:"typed"`
}

// Opaque is text.
// +kubebuilder:validation:Type=string
type Opaque int32

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
