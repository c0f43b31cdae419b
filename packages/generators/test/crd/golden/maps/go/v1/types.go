// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Key string

type Inner struct {
	X string `json:"x"`
}

// +kubebuilder:validation:MinLength=2
type Value string

type WidgetSpec struct {
	Texts   map[string]string                     `json:"texts"`
	Numbers map[string]int32                      `json:"numbers"`
	Objects map[string]Inner                      `json:"objects"`
	Lists   map[string][]string                   `json:"lists"`
	Nested  map[string]map[string]map[string]bool `json:"nested"`
	Named   map[string]Value                      `json:"named"`
	ByKey   map[Key]string                        `json:"byKey"`
	Bytes   map[string][]byte                     `json:"bytes"`
	Times   map[string]metav1.Time                `json:"times"`
	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:validation:MaxProperties=9
	Bounded map[string]string `json:"bounded"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
