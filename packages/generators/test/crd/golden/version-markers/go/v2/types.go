// +groupName=golden.example.com
package v2

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:deprecatedversion:warning="v2 is going; use v1"
// +kubebuilder:selectablefield:JSONPath=.spec.count
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Count int32 `json:"count,omitempty"`
}
