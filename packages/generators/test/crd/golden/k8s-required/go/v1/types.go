// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Inner struct {
	X string `json:"x,omitempty"`
}

type Name string

type WidgetSpec struct {
	// +k8s:required
	Text string `json:"text"`
	// +k8s:required
	Number int32 `json:"number"`
	// +k8s:required
	Flag bool `json:"flag"`
	// +k8s:required
	List []string `json:"list"`
	// +k8s:required
	Table map[string]string `json:"table"`
	// +k8s:required
	Named Name `json:"named"`
	// +k8s:required
	Inner Inner `json:"inner"`
	// +k8s:required
	// +kubebuilder:validation:MinLength=5
	Longer string `json:"longer"`
	// +kubebuilder:validation:MinItems=3
	// +k8s:required
	More []string `json:"more"`
	// +k8s:required
	Omitted string `json:"omitted,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
