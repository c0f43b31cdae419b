// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:printcolumn:name=Age,type=date,jsonPath=.metadata.creationTimestamp
// +kubebuilder:resource:shortNames=w
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:validation:XValidation:rule="true",messageexpression="'x'"
	Size int32 `json:"size"`
}
