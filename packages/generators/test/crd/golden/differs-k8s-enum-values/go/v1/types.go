// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +k8s:enum
type Phase string

const (
	Running Phase = "Running"
	Pending Phase = "Pending"
)

type WidgetSpec struct {
	Phase Phase `json:"phase"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
