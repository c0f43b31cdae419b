// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	intstr "k8s.io/apimachinery/pkg/util/intstr"
	resource "k8s.io/apimachinery/pkg/api/resource"
	runtime "k8s.io/apimachinery/pkg/runtime"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// WidgetSpec has one property of each scalar type.
type WidgetSpec struct {
	Text  string                `json:"text"`
	Flag  bool                  `json:"flag"`
	Whole int                   `json:"whole"`
	Small int32                 `json:"small"`
	Large int64                 `json:"large"`
	Blob  []byte                `json:"blob"`
	Time  metav1.Time           `json:"time"`
	Micro metav1.MicroTime      `json:"micro"`
	Wait  metav1.Duration       `json:"wait"`
	Size  resource.Quantity     `json:"size"`
	Port  intstr.IntOrString    `json:"port"`
	Raw   runtime.RawExtension  `json:"raw"`
	JSON  apiextensionsv1.JSON  `json:"json"`
}

// Widget is a kind.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
