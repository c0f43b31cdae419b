// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type PageOfText struct {
	Items []string `json:"items"`
	Next  string   `json:"next,omitempty"`
}

type PageOfInner struct {
	Items []Inner `json:"items"`
	Next  Inner   `json:"next,omitempty"`
}

type Inner struct {
	X string `json:"x"`
}

type Pair struct {
	Left  string `json:"left"`
	Right int32  `json:"right"`
}

type WidgetSpec struct {
	Texts  PageOfText   `json:"texts"`
	Inners PageOfInner  `json:"inners"`
	Pair   Pair         `json:"pair"`
	Maybe  string       `json:"maybe,omitempty"`
	Nested []PageOfText `json:"nested"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
