// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:validation:items:Minimum=1
	// +kubebuilder:validation:items:Maximum=9
	// +kubebuilder:validation:items:ExclusiveMinimum=true
	// +kubebuilder:validation:items:ExclusiveMaximum=true
	// +kubebuilder:validation:items:MultipleOf=2
	Numbers []int32 `json:"numbers"`
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=9
	// +kubebuilder:validation:items:Pattern=^a
	// +kubebuilder:validation:items:Format=hostname
	// +kubebuilder:validation:items:Enum=a;ab
	Texts []string `json:"texts"`
	// +kubebuilder:validation:items:MinItems=1
	// +kubebuilder:validation:items:MaxItems=2
	// +kubebuilder:validation:items:UniqueItems=false
	Lists [][]string `json:"lists"`
	// +kubebuilder:validation:items:MinProperties=1
	// +kubebuilder:validation:items:MaxProperties=2
	Tables []map[string]string `json:"tables"`
	// +kubebuilder:validation:items:Type=integer
	Retyped []string `json:"retyped"`
	// +kubebuilder:validation:items:XValidation:rule="self > 1",message="one"
	// +kubebuilder:validation:items:XValidation:rule="self > 2"
	Ruled []int32 `json:"ruled"`
	// +kubebuilder:validation:items:XPreserveUnknownFields
	// +kubebuilder:validation:items:XEmbeddedResource
	Open []map[string]string `json:"open"`
	// +kubebuilder:validation:items:MaxLength=5
	// +kubebuilder:validation:MaxItems=3
	Mixed []string `json:"mixed"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
