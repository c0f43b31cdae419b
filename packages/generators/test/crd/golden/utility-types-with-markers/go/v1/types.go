// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Inner struct {
	// a has text.
	// +kubebuilder:validation:MaxLength=5
	A string `json:"a"`
	B int32  `json:"b,omitempty"`
}

type PartialInner struct {
	// a has text.
	// +kubebuilder:validation:MaxLength=5
	A string `json:"a,omitempty"`
	B int32  `json:"b,omitempty"`
}

type PickedInner struct {
	// a has text.
	// +kubebuilder:validation:MaxLength=5
	A string `json:"a"`
}

type OmittedInner struct {
	B int32 `json:"b,omitempty"`
}

type RequiredInner struct {
	// a has text.
	// +kubebuilder:validation:MaxLength=5
	A string `json:"a"`
	B int32  `json:"b"`
}

type Named struct {
	X Inner `json:"x"`
	Y Inner `json:"y"`
}

type WidgetSpec struct {
	Partial  PartialInner  `json:"partial"`
	Picked   PickedInner   `json:"picked"`
	Omitted  OmittedInner  `json:"omitted"`
	Required RequiredInner `json:"required"`
	Readonly Inner         `json:"readonly"`
	Record   Named         `json:"record"`
	// +kubebuilder:validation:Enum=a;b
	Excluded string `json:"excluded"`
	// +kubebuilder:validation:Enum=c
	Extracted string        `json:"extracted"`
	NonNull   string        `json:"nonNull"`
	Marked    PartialInner2 `json:"marked"`
}

// The field.
// +kubebuilder:validation:MinProperties=1
type PartialInner2 struct {
	// a has text.
	// +kubebuilder:validation:MaxLength=5
	A string `json:"a,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
