// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Text is written as text.
// +kubebuilder:validation:Type=string
// +kubebuilder:validation:Pattern="^v"
type Version struct {
	major int
}

func (Version) MarshalJSON() ([]byte, error) { return nil, nil }

func (*Version) UnmarshalJSON([]byte) error { return nil }

type WidgetSpec struct {
	// The version.
	Version Version `json:"version"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
