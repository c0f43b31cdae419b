// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:validation:Enum=a;b;c
type Letter string

type WidgetSpec struct {
	Plain Letter `json:"plain"`
	// +kubebuilder:validation:Enum=a
	TypeWins Letter   `json:"typeWins"`
	Letters  []Letter `json:"letters"`
	// +kubebuilder:default=a
	Defaulted Letter `json:"defaulted,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
