// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	Size int32  `json:"size"`
	Name string `json:"name"`
}

// +kubebuilder:selectablefield:JSONPath=.spec.size
// +kubebuilder:selectablefield:JSONPath=`.spec.name`
// +kubebuilder:selectablefield:JSONPath=".spec.size"
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
