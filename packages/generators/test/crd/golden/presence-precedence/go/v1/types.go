// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:validation:Optional
	// +kubebuilder:validation:Required
	OptionalBeatsRequired string `json:"optionalBeatsRequired"`
	// +kubebuilder:validation:Required
	// +optional
	RequiredBeatsShortOptional string `json:"requiredBeatsShortOptional,omitempty"`
	// +optional
	// +required
	ShortOptionalBeatsShortRequired string `json:"shortOptionalBeatsShortRequired"`
	// +k8s:optional
	// +required
	TagOptionalBeatsShortRequired string `json:"tagOptionalBeatsShortRequired"`
	// +required
	// +nullable
	RequiredAndNullable string `json:"requiredAndNullable"`
	// +kubebuilder:default=x
	DefaultStaysRequired string `json:"defaultStaysRequired"`
	// +k8s:optional
	TagOptional string `json:"tagOptional"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
