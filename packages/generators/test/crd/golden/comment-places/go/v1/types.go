// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// This group is far above the type.
// +kubebuilder:resource:shortName=lost

// +kubebuilder:subresource:status

// The text of the type.
// +kubebuilder:resource:shortName=near
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	//+kubebuilder:validation:Minimum=1
	NoBlank int32 `json:"noBlank"`
	//     +kubebuilder:validation:Minimum=2
	ManyBlanks int32 `json:"manyBlanks"`
	// +optional

	// Text after an empty line.
	Separated int32 `json:"separated"`
	// +kubebuilder:validation:Minimum=3
	OneLine int32 `json:"oneLine"`
	// +kubebuilder:default=1

	// +kubebuilder:default=2
	ClosestWins int32 `json:"closestWins,omitempty"`
	Plain       int32 `json:"plain"` // belongs to nothing
	Last        int32 `json:"last"`
}
