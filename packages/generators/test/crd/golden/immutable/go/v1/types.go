// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Inner struct {
	// +k8s:immutable
	Zone string `json:"zone,omitempty"`
}

type WidgetSpec struct {
	// +k8s:immutable
	First string `json:"first,omitempty"`
	// +k8s:immutable
	// +required
	Second string `json:"second,omitempty"`
	// +k8s:immutable
	Third string `json:"third"`
	// +k8s:immutable
	// +optional
	Fourth Inner `json:"fourth"`
	// +k8s:immutable
	// +kubebuilder:validation:XValidation:rule="self != ''"
	Fifth string `json:"fifth"`
}

// +kubebuilder:validation:XValidation:rule="true"
type Ruled struct {
	// +k8s:immutable
	Fixed string `json:"fixed,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:immutable
	Spec  WidgetSpec `json:"spec,omitempty"`
	Ruled Ruled      `json:"ruled"`
}
