// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// Before.
	// TODO: dropped
	// After.
	Todo string `json:"todo"`
	// Text.
	// ---
	// Cut.
	Cut string `json:"cut"`
	// Text.
	//
	// ---
	// Cut after an empty line.
	CutEmpty string `json:"cutEmpty"`
	// TODO only
	Nothing string `json:"nothing"`
	// ```
	// TODO: stays in a fence
	// ---
	// ```
	// TODO: goes behind it
	Fence string `json:"fence"`
	// ~~~
	// ---
	// ~~~
	Tildes string `json:"tildes"`
	// One.
	//
	//
	// Two.
	Blank string `json:"blank"`
	// Keeps   blanks inside	and tabs.
	//     Indented.
	Blanks string `json:"blanks"`
	// TODOs are no TODO? They are.
	Todos string `json:"todos"`
	// Deprecated: use another.
	Deprecated string `json:"deprecated"`
	//+kubebuilder:validation:MaxLength=5
	// Text below a marker.
	//+optional
	// And more.
	Around string `json:"around"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
