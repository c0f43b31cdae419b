// +groupName=golden.example.com
package v1

import (
	resource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	intstr "k8s.io/apimachinery/pkg/util/intstr"
)

type WidgetSpec struct {
	Plain intstr.IntOrString `json:"plain"`
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern="^[0-9]+%$"
	Percent intstr.IntOrString `json:"percent"`
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:MaxLength=4
	// +kubebuilder:validation:MinLength=1
	Short intstr.IntOrString `json:"short"`
	// +kubebuilder:validation:XIntOrString
	Marked string `json:"marked"`
	// +kubebuilder:default="25%"
	Defaulted intstr.IntOrString            `json:"defaulted,omitempty"`
	List      []intstr.IntOrString          `json:"list"`
	Table     map[string]intstr.IntOrString `json:"table"`
	Amount    resource.Quantity             `json:"amount"`
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern="Gi$"
	Memory resource.Quantity `json:"memory"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
