// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Inner struct {
	A string `json:"a,omitempty"`
	N int64  `json:"n,omitempty"`
}

type WidgetSpec struct {
	// +default="text"
	Text string `json:"text,omitempty"`
	// +default=1.0
	Whole int32 `json:"whole,omitempty"`
	// +default=9007199254740993
	Huge int64 `json:"huge,omitempty"`
	// +default=true
	Flag bool `json:"flag,omitempty"`
	// +default=[]
	NoItems []string `json:"noItems,omitempty"`
	// +default={}
	NoFields Inner `json:"noFields,omitempty"`
	// +default={"a":"x","n":12}
	Object Inner `json:"object,omitempty"`
	// +default=[{"a":"one"},{"n":2}]
	List []Inner `json:"list,omitempty"`
	// +default={"k":"v","\u00e9":"\n"}
	Table map[string]string `json:"table,omitempty"`
	// +default=""
	Empty string `json:"empty,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
