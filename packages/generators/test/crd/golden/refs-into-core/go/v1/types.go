// +groupName=golden.example.com
package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// The template.
	// +optional
	Template corev1.PodTemplateSpec `json:"template"`
	// +kubebuilder:validation:MinItems=1
	// +listType=map
	// +listMapKey=name
	Env []corev1.EnvVar `json:"env"`
	// +kubebuilder:default={name: "x"}
	Secret corev1.LocalObjectReference `json:"secret,omitempty"`
	// +structType=atomic
	Claim *corev1.TypedLocalObjectReference `json:"claim,omitempty"`
	// +kubebuilder:validation:XValidation:rule="has(self.cpu)"
	Limits   corev1.ResourceList `json:"limits"`
	Affinity corev1.Affinity     `json:"affinity"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
