// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:validation:Pattern="^[a-z]+$"
type Zone string

// +kubebuilder:validation:MinItems=3
type Rack Zone

type WidgetSpec struct {
	Plain map[string]int32 `json:"plain"`
	Zones map[Zone]int32   `json:"zones"`
	Racks map[Rack]int32   `json:"racks"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
