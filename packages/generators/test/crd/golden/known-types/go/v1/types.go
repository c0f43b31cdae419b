// +groupName=golden.example.com
package v1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	resource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	runtime "k8s.io/apimachinery/pkg/runtime"
	intstr "k8s.io/apimachinery/pkg/util/intstr"
)

type WidgetSpec struct {
	// A time.
	Time      metav1.Time          `json:"time"`
	MicroTime metav1.MicroTime     `json:"microTime"`
	Duration  metav1.Duration      `json:"duration"`
	Quantity  resource.Quantity    `json:"quantity"`
	Port      intstr.IntOrString   `json:"port"`
	Raw       runtime.RawExtension `json:"raw"`
	JSON      apiextensionsv1.JSON `json:"json"`
	Bytes     []byte               `json:"bytes"`
	Meta      metav1.ObjectMeta    `json:"meta"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
