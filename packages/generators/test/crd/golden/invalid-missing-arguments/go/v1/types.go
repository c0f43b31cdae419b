// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:printcolumn:name=Age,type=date
// +kubebuilder:subresource:scale:specpath=.spec.replicas
// +kubebuilder:selectablefield
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:validation:XValidation:message="no rule"
	// +kubebuilder:validation:Minimum
	// +kubebuilder:default
	Size int32 `json:"size"`
}
