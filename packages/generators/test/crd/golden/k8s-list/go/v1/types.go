// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Entry struct {
	Name string `json:"name"`
	Port int32  `json:"port"`
}

// +k8s:listType=map
// +k8s:listMapKey=name
type Entries []Entry

type WidgetSpec struct {
	// +k8s:listType=atomic
	Atomic []string `json:"atomic"`
	// +k8s:listType=set
	Set []string `json:"set"`
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:listMapKey=port
	// +k8s:listMapKey=name
	Map   []Entry `json:"map"`
	Typed Entries `json:"typed"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
