package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Widget turns.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec,omitempty"`
}

// WidgetSpec says how.
type WidgetSpec struct {
	// Size counts. It is
	// small.
	// +kubebuilder:validation:Minimum=1
	Size int32 `json:"size"`
	// Color is seen.
	// +kubebuilder:default=red
	// +kubebuilder:validation:Enum=red;green
	// +optional
	Color string `json:"color,omitempty"`
}
