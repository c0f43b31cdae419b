// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Name is a name.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:Pattern="^[a-z]+$"
type Name string

// LongName is a name of more letters.
// +kubebuilder:validation:MinLength=10
type LongName Name

// +kubebuilder:validation:Maximum=100
type Percent int32

// +kubebuilder:validation:MaxItems=3
// +kubebuilder:validation:items:MaxLength=5
type Words []string

// +kubebuilder:validation:MinProperties=1
type Table map[string]Name

type WidgetSpec struct {
	Name Name `json:"name"`
	// The text of the field.
	Described Name `json:"described"`
	// +kubebuilder:validation:Pattern="^[b-y]+$"
	TwoPatterns Name `json:"twoPatterns"`
	// +kubebuilder:validation:MinLength=1
	SameLength Name `json:"sameLength"`
	// +kubebuilder:validation:Pattern="^[a-z]+$"
	SamePattern Name     `json:"samePattern"`
	Long        LongName `json:"long"`
	// +kubebuilder:validation:MaxLength=20
	LongAgain LongName `json:"longAgain"`
	// +kubebuilder:validation:Minimum=1
	Percent Percent `json:"percent"`
	// +kubebuilder:validation:MinItems=1
	Words Words  `json:"words"`
	Table Table  `json:"table"`
	Names []Name `json:"names"`
	// +kubebuilder:validation:items:MaxLength=9
	ShortNames []Name                       `json:"shortNames"`
	Nested     map[string]map[string][]Name `json:"nested"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
