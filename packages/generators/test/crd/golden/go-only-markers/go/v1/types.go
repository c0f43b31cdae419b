// +groupName=golden.example.com
// +k8s:deepcopy-gen=package
// +kubebuilder:object:generate=true
// +kubebuilder:ac:generate=true
// +kubebuilder:ac:output:package="apply"
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	Size int32 `json:"size"`
}

// +kubebuilder:object:root=true
// +kubebuilder:object:generate=false
// +kubebuilder:ac:generate=false
// +k8s:deepcopy-gen=true
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +genclient
// +genclient:nonNamespaced
// +someone-elses:marker=1
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +union
	// +protobuf=x
	Spec WidgetSpec `json:"spec"`
}
