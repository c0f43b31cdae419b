// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	Plain string `json:"plain"`
	Asked string `json:"asked,omitempty"`
	// +optional
	OptionalMarker string `json:"optionalMarker"`
	// +required
	RequiredMarker string `json:"requiredMarker,omitempty"`
	// +kubebuilder:validation:Optional
	LongOptional string `json:"longOptional"`
	// +kubebuilder:validation:Required
	LongRequired string `json:"longRequired,omitempty"`
	// +kubebuilder:validation:Required
	// +optional
	Both string `json:"both,omitempty"`
	// +nullable
	Nullable string `json:"nullable,omitempty"`
	OrUndefined string `json:"orUndefined,omitempty"`
	// +nullable
	OrNull *string `json:"orNull"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec,omitempty"`
}
