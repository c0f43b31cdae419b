// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Phase is a phase.
// +kubebuilder:validation:Enum=Pending;Running;Done
type Phase string

type WidgetSpec struct {
	Phase Phase `json:"phase"`
	// +kubebuilder:validation:Enum=b;a
	Inline string  `json:"inline"`
	Phases []Phase `json:"phases"`
	// +kubebuilder:validation:items:Enum=x;y
	Items []string         `json:"items"`
	Table map[string]Phase `json:"table"`
	// +kubebuilder:validation:Enum=only
	Single string `json:"single"`
	// +kubebuilder:default=Done
	Defaulted Phase `json:"defaulted,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
