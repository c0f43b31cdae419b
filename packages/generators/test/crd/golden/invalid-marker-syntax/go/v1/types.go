// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:resource:shortName=a,b
// +kubebuilder:resource:shortName={a,b
// +kubebuilder:printcolumn:name=A,type=string,JSONPath=.a,
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:validation:Pattern="not ended
	A string `json:"a"`
	// +kubebuilder:validation:Pattern=`not ended
	B string `json:"b"`
	// +kubebuilder:validation:Pattern="\d+"
	C string `json:"c"`
	// +kubebuilder:default={a: 1
	D string `json:"d"`
	// +kubebuilder:default={a: 1 b: 2}
	E string `json:"e"`
	// +kubebuilder:default={1,a}
	F string `json:"f"`
	// +kubebuilder:default=a,b
	G string `json:"g"`
}
