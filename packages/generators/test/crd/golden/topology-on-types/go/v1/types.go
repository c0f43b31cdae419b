// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Entry struct {
	Name string `json:"name"`
}

// +listType=map
// +listMapKey=name
type Entries []Entry

// +listType=atomic
type Words []string

// +mapType=atomic
type Table map[string]string

// +structType=atomic
type Block struct {
	X string `json:"x,omitempty"`
}

// +mapType=granular
type Open struct {
	X string `json:"x,omitempty"`
}

type WidgetSpec struct {
	Entries Entries `json:"entries"`
	Words   Words   `json:"words"`
	// +listType=set
	FieldWins Words `json:"fieldWins"`
	Table     Table `json:"table"`
	// +mapType=granular
	TableAgain Table `json:"tableAgain"`
	Block      Block `json:"block"`
	// +structType=granular
	BlockAgain Block            `json:"blockAgain"`
	Open       Open             `json:"open"`
	Lists      []Words          `json:"lists"`
	Tables     map[string]Table `json:"tables"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
