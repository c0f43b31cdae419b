// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	intstr "k8s.io/apimachinery/pkg/util/intstr"
	runtime "k8s.io/apimachinery/pkg/runtime"
)

type WidgetSpec struct {
	// Bounded number.
	// +kubebuilder:validation:Minimum=-5
	// +kubebuilder:validation:Maximum=1000000
	// +kubebuilder:validation:ExclusiveMinimum=true
	// +kubebuilder:validation:ExclusiveMaximum=false
	// +kubebuilder:validation:MultipleOf=5
	Number int32 `json:"number"`
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z]([-a-z0-9]*[a-z0-9])?$`
	// +kubebuilder:validation:Format=hostname
	Text string `json:"text"`
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems:=10
	// +kubebuilder:validation:UniqueItems=false
	// +kubebuilder:validation:items:MinLength=2
	// +kubebuilder:validation:items:Pattern="^\\d+$"
	List []string `json:"list"`
	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:validation:MaxProperties=8
	Map map[string]string `json:"map"`
	// +kubebuilder:validation:Enum=Allow;Forbid;"Re place";1;true
	Policy string `json:"policy"`
	// +kubebuilder:validation:Enum={1,2,3}
	Level int32 `json:"level"`
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:Schemaless
	Free string `json:"free"`
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern="^[0-9]+%?$"
	Port intstr.IntOrString `json:"port"`
	// +kubebuilder:validation:EmbeddedResource
	// +kubebuilder:validation:XPreserveUnknownFields
	Object runtime.RawExtension `json:"object"`
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Schemaless
	Anything string `json:"anything,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
