// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	Replicas int32 `json:"replicas"`
}

// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}

// +kubebuilder:subresource:scale:selectorpath=.status.selector,statuspath=.status.replicas,specpath=.spec.replicas
// +kubebuilder:subresource:status
type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
