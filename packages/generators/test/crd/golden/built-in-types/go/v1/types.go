// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1 "k8s.io/api/core/v1"
)

type WidgetSpec struct {
	Template  corev1.PodTemplateSpec        `json:"template"`
	Reference *corev1.LocalObjectReference  `json:"reference,omitempty"`
	Objects   []corev1.ObjectReference      `json:"objects,omitempty"`
	Resources corev1.ResourceRequirements   `json:"resources,omitempty"`
	Secrets   map[string]corev1.SecretKeySelector `json:"secrets,omitempty"`
	Env       []corev1.EnvVar               `json:"env,omitempty"`
	Tolerations []corev1.Toleration         `json:"tolerations,omitempty"`
	Selector  *metav1.LabelSelector         `json:"selector,omitempty"`
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
