// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:title="The type"
type Inner struct {
	// +kubebuilder:example="abc"
	X string `json:"x,omitempty"`
}

type WidgetSpec struct {
	FromType Inner `json:"fromType"`
	// +kubebuilder:title="The field"
	FromField Inner `json:"fromField"`
	// +kubebuilder:title=bare words
	// +kubebuilder:example={a,b}
	List []string `json:"list"`
	// +kubebuilder:example={x: y}
	Object Inner `json:"object"`
	// +kubebuilder:example=false
	Flag bool `json:"flag"`
	// +kubebuilder:example=0
	Zero int32 `json:"zero"`
	// +kubebuilder:example=""
	Empty string `json:"empty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
