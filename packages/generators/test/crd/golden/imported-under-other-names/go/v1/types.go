// +groupName=golden.example.com
package v1

import (
	shared "golden.example.com/cases/cases/shared"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	First  shared.Port `json:"first"`
	Second shared.Port `json:"second"`
	Third  shared.Port `json:"third"`
	// +kubebuilder:validation:XValidation:rule="self.number > 0"
	Fourth shared.Port `json:"fourth"`
	Name   shared.Name `json:"name"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
