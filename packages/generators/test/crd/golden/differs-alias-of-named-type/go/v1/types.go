// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Name is a name.
// +kubebuilder:validation:MaxLength=5
type Name string

// Other is another name for it.
// +kubebuilder:validation:MinLength=2
type Other = Name

type WidgetSpec struct {
	Other Other `json:"other"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
