// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	intstr "k8s.io/apimachinery/pkg/util/intstr"
	resource "k8s.io/apimachinery/pkg/api/resource"
)

type Inner struct {
	X string `json:"x,omitempty"`
}

type WidgetSpec struct {
	// +kubebuilder:default={}
	// +kubebuilder:validation:XValidation:rule="has(self.x)"
	// +nullable
	Inner *Inner `json:"inner,omitempty"`
	// +kubebuilder:validation:XEmbeddedResource
	// +kubebuilder:pruning:PreserveUnknownFields
	Embedded *Inner `json:"embedded,omitempty"`
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern="^1"
	Quantity *resource.Quantity `json:"quantity,omitempty"`
	// +kubebuilder:validation:Format=date
	Time *metav1.Time `json:"time,omitempty"`
	// +kubebuilder:default="1Gi"
	Size *resource.Quantity `json:"size,omitempty"`
	// +kubebuilder:default=80
	Port *intstr.IntOrString `json:"port,omitempty"`
	// +kubebuilder:validation:Enum=http;80
	// +kubebuilder:validation:XIntOrString
	Choice *intstr.IntOrString `json:"choice,omitempty"`
	Ports  []intstr.IntOrString `json:"ports,omitempty"`
	// +kubebuilder:validation:items:XIntOrString
	// +kubebuilder:validation:items:MaxLength=5
	Limited []intstr.IntOrString `json:"limited,omitempty"`
	ByName  map[string]Inner     `json:"byName,omitempty"`
	// +kubebuilder:validation:Type=object
	Typed Inner `json:"typed,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
