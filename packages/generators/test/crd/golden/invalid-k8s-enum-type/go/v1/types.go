// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +k8s:enum
type Level int32

// +k8s:enum
type Empty string

// +kubebuilder:validation:Enum={Bee}
// +k8s:enum
type Item struct{}

type WidgetSpec struct {
	A Level `json:"a"`
	B Empty `json:"b"`
	C Item  `json:"c"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
