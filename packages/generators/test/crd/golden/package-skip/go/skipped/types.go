// +groupName=golden.example.com
// +kubebuilder:skip
package skipped

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type GadgetSpec struct {
	Size int32 `json:"size"`
}

type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec GadgetSpec `json:"spec"`
}
