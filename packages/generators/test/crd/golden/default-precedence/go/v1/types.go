// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:default=first
	// +kubebuilder:default=last
	Repeated string `json:"repeated,omitempty"`
	// +kubebuilder:default=marker
	// +default="json"
	MarkerFirst string `json:"markerFirst,omitempty"`
	// +default="json"
	// +kubebuilder:default=marker
	JSONFirst string `json:"jsonFirst,omitempty"`
	// +kubebuilder:default=stays
	// +default=null
	NullSaysNothing string `json:"nullSaysNothing,omitempty"`
	// +default=ref(Constant)
	// +kubebuilder:default=known
	Reference string `json:"reference,omitempty"`
	// +kubebuilder:default=false
	False bool `json:"false,omitempty"`
	// +kubebuilder:default=0
	Zero int32 `json:"zero,omitempty"`
	// +kubebuilder:default=""
	Empty string `json:"empty,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
