// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:subresources:status
// +kubebuilder:print-column:name=A,type=string,JSONPath=.a
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:validation:minimum=1
	A int32 `json:"a"`
	// +kubebuilder:validation:optional
	B string `json:"b"`
	// +kubebuilder:validation:Nullable
	C string `json:"c"`
	// +kubebuilder:validation:OneOf=a;b
	D string `json:"d"`
	// +kubebuilder:validation:ListType=set
	E []string `json:"e"`
	// +kubebuilder:validation:XEmbedded
	F map[string]string `json:"f"`
	// +kubebuilder:deprecated
	G string `json:"g"`
	// +k8s:customValidation
	H string `json:"h"`
	// +optional because it is
	I string `json:"i"`
	// + optional
	J string `json:"j"`
	// +kubebuilder:validation:MinLength =1
	K string `json:"k"`
}
