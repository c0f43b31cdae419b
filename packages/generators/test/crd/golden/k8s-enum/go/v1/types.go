// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +k8s:enum
type Phase string

const (
	PhaseB Phase = "beta"
	PhaseA Phase = "alpha"
	PhaseC Phase = "charlie"
)

// +k8s:enum
// +kubebuilder:validation:Type=integer
type Text string

const One Text = "one"

type WidgetSpec struct {
	Phase Phase `json:"phase"`
	// Several of them.
	Phases []Phase `json:"phases,omitempty"`
	// +kubebuilder:validation:MinLength=1
	Text Text `json:"text"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
