// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +default=hello
	A string `json:"a"`
	// +default={"a":1
	B string `json:"b"`
	// +default=
	C string `json:"c"`
	// +default='x'
	D string `json:"d"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
