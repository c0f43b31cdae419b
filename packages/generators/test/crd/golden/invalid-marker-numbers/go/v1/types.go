// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:validation:MinLength=0x1F
	A string `json:"a"`
	// +kubebuilder:validation:MinLength=1_000
	B string `json:"b"`
	// +kubebuilder:validation:MinLength=08
	C string `json:"c"`
	// +kubebuilder:validation:MinLength="1"
	D string `json:"d"`
	// +kubebuilder:validation:MinLength=1.5
	E string `json:"e"`
	// +kubebuilder:validation:Minimum=five
	F int32 `json:"f"`
	// +kubebuilder:validation:Minimum=
	G int32 `json:"g"`
	// +kubebuilder:validation:ExclusiveMinimum=yes
	H int32 `json:"h"`
	// +kubebuilder:validation:ExclusiveMinimum="true"
	I int32 `json:"i"`
	// +k8s:maxItems=x
	J []string `json:"j"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
