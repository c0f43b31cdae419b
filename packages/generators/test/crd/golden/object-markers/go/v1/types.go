// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetStatus struct {
	Replicas int32  `json:"replicas,omitempty"`
	Selector string `json:"selector,omitempty"`
}

type WidgetSpec struct {
	Replicas int32  `json:"replicas,omitempty"`
	Name     string `json:"name,omitempty"`
}

// Widget has all markers of a kind.
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=wigs,shortName=wi;wig,categories={all,demo},singular=wig,scope=Cluster
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:printcolumn:name="Replicas",type=integer,JSONPath=`.spec.replicas`,description="How many, wanted",format=int32,priority=1
// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=.metadata.creationTimestamp
// +kubebuilder:selectablefield:JSONPath=`.spec.name`
// +kubebuilder:metadata:annotations="example.com/a=1",annotations="b=x=y",labels="team=one"
// +kubebuilder:metadata:annotations="another=2"
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WidgetSpec   `json:"spec"`
	Status WidgetStatus `json:"status,omitempty"`
}
