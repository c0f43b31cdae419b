// +groupName=golden.example.com
package v3

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:deprecatedversion
// +kubebuilder:unservedversion
// +kubebuilder:subresource:scale:specpath=.size,statuspath=.size
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
