// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"golden.example.com/cases/cases/lib"
)

// WidgetSpec uses types of another package.
type WidgetSpec struct {
	lib.Inherited `json:",inline"`
	Shared        lib.Shared `json:"shared"`
	// With a text of its own.
	Again  lib.Shared `json:"again"`
	Names  []lib.Name `json:"names"`
	Inline lib.Name   `json:"inline"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
