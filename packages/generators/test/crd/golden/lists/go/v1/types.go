// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Inner struct {
	X string `json:"x"`
}

// +kubebuilder:validation:MaxLength=7
type Short string

type WidgetSpec struct {
	Texts  []string            `json:"texts"`
	Deep   [][][]int64         `json:"deep"`
	Inners []Inner             `json:"inners"`
	Maps   []map[string]string `json:"maps"`
	Shorts []Short             `json:"shorts"`
	Bytes  [][]byte            `json:"bytes"`
	Times  []metav1.Time       `json:"times"`
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=2
	// +kubebuilder:validation:UniqueItems=true
	Bounded []string `json:"bounded"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
