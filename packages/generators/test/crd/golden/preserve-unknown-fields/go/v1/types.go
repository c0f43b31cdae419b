// +groupName=golden.example.com
package v1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	runtime "k8s.io/apimachinery/pkg/runtime"
)

type WidgetSpec struct {
	// +kubebuilder:pruning:PreserveUnknownFields
	Field Inner `json:"field"`
	// +kubebuilder:validation:XPreserveUnknownFields
	Long  Inner                           `json:"long"`
	Typed Open                            `json:"typed"`
	Raw   runtime.RawExtension            `json:"raw"`
	Any   apiextensionsv1.JSON            `json:"any"`
	Table map[string]apiextensionsv1.JSON `json:"table"`
	List  []apiextensionsv1.JSON          `json:"list"`
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Schemaless
	Nothing Inner `json:"nothing"`
}

type Inner struct {
	X string `json:"x,omitempty"`
}

// +kubebuilder:pruning:PreserveUnknownFields
type Open struct {
	X string `json:"x,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
