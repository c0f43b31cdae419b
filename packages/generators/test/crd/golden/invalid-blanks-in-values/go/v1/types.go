// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:resource:shortName=a , path=x
// +kubebuilder:resource:path=,scope=Cluster
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:validation:Enum=a ; b
	A string `json:"a"`
	// +kubebuilder:default={k: v }
	B map[string]string `json:"b"`
}
