// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Phase is where the widget is.
// +kubebuilder:validation:Enum=Pending;Running;Failed
type Phase string

// Color is an enum.
// +kubebuilder:validation:Enum=red;green
type Color string

// +kubebuilder:validation:Enum=1;2;3
type Level int

type WidgetSpec struct {
	Phase Phase `json:"phase"`
	// The color of the field.
	Color Color `json:"color,omitempty"`
	// +kubebuilder:validation:Enum=b;a
	Inline string  `json:"inline"`
	Levels []Level `json:"levels"`
	// +kubebuilder:validation:Enum=Pending;Other
	TypeWins Phase `json:"typeWins"`
	// +kubebuilder:validation:Enum=one
	Only string `json:"only"`
	// +kubebuilder:default=Pending
	Defaulted Phase `json:"defaulted,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
