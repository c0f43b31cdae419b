// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	A1  string `json:"a10"`
	A2  string `json:"a2"`
	A3  string `json:"A"`
	A4  string `json:"_a"`
	A5  string `json:"a-b"`
	A6  string `json:"a.b"`
	A7  string `json:"a_b"`
	A8  string `json:"aB"`
	A9  string `json:"ab"`
	A10 string `json:"yes"`
	A11 string `json:"no"`
	A12 string `json:"null"`
	A13 string `json:"1"`
	A14 string `json:"on"`
	A16 string `json:"x y"`
	A17 string `json:"$ref"`
	A18 string `json:"y"`
	A19 string `json:"1.5"`
	A20 string `json:"0x1"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
