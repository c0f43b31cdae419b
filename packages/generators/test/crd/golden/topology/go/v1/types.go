// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Entry struct {
	Name string `json:"name"`
	Zone string `json:"zone"`
	// +optional
	Value string `json:"value"`
}

// +structType=atomic
type Whole struct {
	X string `json:"x,omitempty"`
}

// +mapType=atomic
type Labels map[string]string

// +listType=set
type Names []string

type WidgetSpec struct {
	// +listType=map
	// +listMapKey=name
	// +listMapKey=zone
	Entries []Entry `json:"entries,omitempty"`
	// +listType=set
	Set []string `json:"set,omitempty"`
	// +listType=atomic
	Atomic []string `json:"atomic,omitempty"`
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Other []Entry `json:"other,omitempty"`
	// +mapType=granular
	Labels map[string]string `json:"labels,omitempty"`
	Typed  Labels            `json:"typed,omitempty"`
	// +mapType=granular
	Overridden Labels `json:"overridden,omitempty"`
	Names      Names  `json:"names,omitempty"`
	// +listType=atomic
	NamesAgain Names `json:"namesAgain,omitempty"`
	// +structType=granular
	Entry Entry `json:"entry,omitempty"`
	Whole Whole `json:"whole,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
