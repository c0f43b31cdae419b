// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +listType=atomic
	A string `json:"a"`
	// +listType=bag
	B []string `json:"b"`
	// +listMapKey=name
	C []string `json:"c"`
	// +listType=set
	// +listMapKey=name
	D []string `json:"d"`
	// +mapType=atomic
	E []string `json:"e"`
	// +mapType=loose
	F map[string]string `json:"f"`
	// +structType=granular
	G []string `json:"g"`
	// +structType=loose
	H map[string]string `json:"h"`
	// +listType=set
	I []byte `json:"i"`
	// +k8s:listType=x
	J []string `json:"j"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
