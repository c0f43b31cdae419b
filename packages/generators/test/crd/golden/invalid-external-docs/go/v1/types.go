// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:externalDocs:url=foo
	A string `json:"a"`
	// +kubebuilder:externalDocs:url=""
	B string `json:"b"`
	// +kubebuilder:externalDocs:description="no url"
	C string `json:"c"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
