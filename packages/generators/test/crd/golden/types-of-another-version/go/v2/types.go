// +groupName=golden.example.com
package v2

import (
	v1 "golden.example.com/cases/cases/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// From the other version.
	Shared v1.Shared   `json:"shared"`
	More   []v1.Shared `json:"more"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
