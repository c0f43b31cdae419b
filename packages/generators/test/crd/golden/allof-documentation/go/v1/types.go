// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The text of the type.
// +kubebuilder:title="type"
// +kubebuilder:externalDocs:url="https://example.com/type"
// +kubebuilder:example="from type"
type Text string

type WidgetSpec struct {
	Plain Text `json:"plain"`
	// The text of the field.
	Described Text `json:"described"`
	// +kubebuilder:title="field"
	// +kubebuilder:externalDocs:url="https://example.com/field"
	// +kubebuilder:example="from field"
	Marked Text `json:"marked"`
	// +kubebuilder:default="x"
	Defaulted Text `json:"defaulted,omitempty"`
	// +nullable
	Nullable Text `json:"nullable,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
