// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	runtime "k8s.io/apimachinery/pkg/runtime"
)

type WidgetSpec struct {
	// +kubebuilder:validation:EmbeddedResource
	Long runtime.RawExtension `json:"long"`
	// +kubebuilder:validation:XEmbeddedResource
	Short runtime.RawExtension `json:"short"`
	// +kubebuilder:validation:EmbeddedResource
	// +kubebuilder:pruning:PreserveUnknownFields
	Inner Inner    `json:"inner"`
	Typed Embedded `json:"typed"`
	// +kubebuilder:validation:items:XEmbeddedResource
	// +kubebuilder:validation:items:XPreserveUnknownFields
	List []map[string]string `json:"list"`
}

type Inner struct {
	Kind string `json:"kind,omitempty"`
}

// +kubebuilder:validation:XEmbeddedResource
// +kubebuilder:pruning:PreserveUnknownFields
type Embedded struct {
	Kind string `json:"kind,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
