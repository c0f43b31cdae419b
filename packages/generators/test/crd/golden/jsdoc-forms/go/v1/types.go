// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// One line.
	OneLine string `json:"oneLine"`
	// The text ends at the first block tag.
	// +kubebuilder:validation:MaxLength=5
	Tags string `json:"tags"`
	// A link to Widget stays a word, and so does mail to a@b.example.
	Link string `json:"link"`
	// +kubebuilder:validation:Pattern=`^a*/b$`
	Escape string `json:"escape"`
	// Without stars
	// on its lines.
	NoStars string `json:"noStars"`
	Plain   string `json:"plain"`
	// The adjacent block counts.
	Two string `json:"two"`
	// +kubebuilder:validation:MinLength=1
	Block string `json:"block"`
	// Text beside.
	//
	// A paragraph.
	Starred string `json:"starred"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
