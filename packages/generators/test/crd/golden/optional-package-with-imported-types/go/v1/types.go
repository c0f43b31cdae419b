// +groupName=golden.example.com
// +kubebuilder:validation:Optional
package v1

import (
	shared "golden.example.com/cases/cases/shared"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	Own    string        `json:"own"`
	Shared shared.Shared `json:"shared"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
