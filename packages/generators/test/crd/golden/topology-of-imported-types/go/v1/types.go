// +groupName=golden.example.com
package v1

import (
	shared "golden.example.com/cases/cases/shared"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	Entries shared.Entries `json:"entries"`
	// +listType=map
	// +listMapKey=name
	List []shared.Entry `json:"list"`
	// +structType=atomic
	Entry shared.Entry `json:"entry"`
	// +listType=set
	Words shared.Words `json:"words"`
	// +mapType=atomic
	Table shared.Table `json:"table"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
