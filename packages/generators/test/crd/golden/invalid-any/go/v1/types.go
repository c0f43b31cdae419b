// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	A any                    `json:"a"`
	B interface{}            `json:"b"`
	C map[string]interface{} `json:"c"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
