// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Phase is a phase.
// +kubebuilder:validation:Enum=pending;running
type Phase string

// +kubebuilder:validation:Enum=0;1;5;6
type Level int

// +kubebuilder:validation:Enum=1
type One int

type WidgetSpec struct {
	Phase Phase `json:"phase"`
	Level Level `json:"level"`
	// +kubebuilder:validation:Enum=running
	Only string `json:"only"`
	One  One    `json:"one"`
	// +kubebuilder:validation:Enum=true
	True bool `json:"true"`
	Both bool `json:"both"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
