// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	Size int32 `json:"size"`
}

// +kubebuilder:printcolumn:name=Zulu,type=string,JSONPath=.spec.z
// +kubebuilder:printcolumn:name="Alpha \"a\"",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:printcolumn:JSONPath=.spec.size,type=integer,format=int32,name=Size,priority=0,description="How large, in \\ units"
// +kubebuilder:printcolumn:name=Wide,type=boolean,JSONPath=.status.conditions[?(@.type=="Ready")].status,priority=10
// +kubebuilder:printcolumn:name=Negative,type=number,JSONPath=.spec.size,priority=-1
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
