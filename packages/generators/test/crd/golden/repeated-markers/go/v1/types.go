// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:validation:MaxLength=3
	// +kubebuilder:validation:MaxLength=8
	LastWins string `json:"lastWins"`
	// +kubebuilder:validation:MaxLength:=4
	Colon string `json:"colon"`
	// +kubebuilder:validation:MaxLength:anything=9
	Segment string `json:"segment"`
	// +kubebuilder:validation:Enum=a;b
	// +kubebuilder:validation:Enum=c;d
	FirstEnum string `json:"firstEnum"`
	// +kubebuilder:validation:XValidation:rule="1 == 1"
	// +kubebuilder:validation:XValidation:rule="2 == 2",rule="3 == 3"
	Rules string `json:"rules"`
	// +kubebuilder:title=one
	// +kubebuilder:title=two
	Title string `json:"title"`
}

// +kubebuilder:resource:shortName=a;b,shortName=c
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
