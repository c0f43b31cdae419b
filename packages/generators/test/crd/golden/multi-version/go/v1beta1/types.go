// +groupName=golden.example.com
package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	Count int32 `json:"count"`
}

// Widget of v1beta1.
// +kubebuilder:deprecatedversion:warning="use v1"
// +kubebuilder:unservedversion
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
