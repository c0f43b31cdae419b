// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:metadata:annotations="a.example.com/one=1";"b=x=y",labels={"team=blue","empty="}
// +kubebuilder:metadata:annotations="a.example.com/one=2"
// +kubebuilder:storageversion
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
