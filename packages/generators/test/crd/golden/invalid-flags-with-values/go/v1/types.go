// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:subresource:status=true
// +kubebuilder:storageversion=yes
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +optional=true
	A string `json:"a"`
	// +nullable=false
	B string `json:"b"`
	// +k8s:required=x
	C string `json:"c"`
}
