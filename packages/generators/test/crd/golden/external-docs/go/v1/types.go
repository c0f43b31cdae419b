// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:externalDocs:url="https://example.com/types",description="The type"
type Inner struct {
	X string `json:"x,omitempty"`
}

// +kubebuilder:externalDocs:url=/docs/spec
type WidgetSpec struct {
	FromType Inner `json:"fromType"`
	// +kubebuilder:externalDocs:url=https://example.com/field
	FromField Inner `json:"fromField"`
	// +kubebuilder:externalDocs:url="ftp://example.com/x",description=
	Scalar string `json:"scalar"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
