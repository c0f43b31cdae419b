// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Name is a name.
// +kubebuilder:validation:MaxLength=5
type Name string

type Inner struct {
	X string `json:"x"`
}

type WidgetSpec struct {
	// +nullable
	Text string `json:"text"`
	// +nullable
	Number int32 `json:"number,omitempty"`
	// +nullable
	Named Name `json:"named"`
	// +nullable
	Inner Inner `json:"inner"`
	// +nullable
	List []string `json:"list"`
	// +nullable
	Table map[string]string `json:"table"`
	Maybe string            `json:"maybe,omitempty"`
	// +nullable
	Both string `json:"both,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
