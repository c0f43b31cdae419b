// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Inner is described
// on two lines.
type Inner struct {
	X string `json:"x"`
}

// Name is a name.
type Name string

// Names are names.
type Names []Name

type WidgetSpec struct {
	Inner Inner `json:"inner"`
	// The field wins.
	Other Inner   `json:"other"`
	Name  Name    `json:"name"`
	Names Names   `json:"names"`
	List  []Inner `json:"list"`
	// The list of names.
	NameList []Name           `json:"nameList"`
	Table    map[string]Inner `json:"table"`
}

// Widget is the kind.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is the wish.
	Spec WidgetSpec `json:"spec"`
}
