// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Port struct {
	Name   string `json:"name"`
	Number int32  `json:"number"`
}

type WidgetSpec struct {
	Number int32 `json:"number"`
	// +kubebuilder:validation:Enum=name;number
	Key string `json:"key"`
	// +kubebuilder:validation:Enum=red;green
	Color string `json:"color"`
	// +kubebuilder:validation:Enum=low;high
	Level string `json:"level"`
	// +kubebuilder:validation:Enum=1;2
	Rank int `json:"rank"`
	// +kubebuilder:validation:Enum=LOW;HIGH
	LevelName string `json:"levelName"`
	Port      Port   `json:"port"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
