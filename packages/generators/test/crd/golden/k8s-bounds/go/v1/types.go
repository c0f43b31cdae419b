// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +k8s:minimum=1
	// +k8s:maximum=10
	Both int32 `json:"both"`
	// +k8s:minimum=-3 # the lowest that makes sense
	Commented int32 `json:"commented"`
	// +k8s:maximum=+7
	Signed int64 `json:"signed"`
	// +k8s:maxItems=4 # more are slow
	List []string `json:"list"`
	// +k8s:maxItems=2
	// +kubebuilder:validation:MaxItems=9
	Twice []string `json:"twice"`
	// +kubebuilder:validation:Minimum=5
	// +k8s:minimum=2
	Later int32 `json:"later"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
