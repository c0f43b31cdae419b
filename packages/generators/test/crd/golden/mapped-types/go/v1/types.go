// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Inner struct {
	// a of inner.
	// +kubebuilder:validation:MaxLength=5
	A string `json:"a,omitempty"`
	B int32  `json:"b,omitempty"`
}

type Needed struct {
	A string `json:"a"`
	B int32  `json:"b"`
}

type Flags struct {
	X bool `json:"x,omitempty"`
	Y bool `json:"y,omitempty"`
}

type Texts struct {
	A string `json:"a"`
	B string `json:"b"`
}

type WidgetSpec struct {
	Flags    Flags            `json:"flags"`
	Partial  Inner            `json:"partial"`
	Required Needed           `json:"required"`
	Texts    Texts            `json:"texts"`
	Table    map[string]int32 `json:"table"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
