// +kubebuilder:object:generate=true
// +kubebuilder:ac:generate=true
// +groupName=webapp.example.com
package v1

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Inner struct {
	A string `json:"a,omitempty"`
	B *Base  `json:"b,omitempty"`
}

type Port struct {
	Name   string `json:"name"`
	Number int32  `json:"number"`
	// +kubebuilder:default=TCP
	Protocol string `json:"protocol,omitempty"`
	Inner    *Inner `json:"inner,omitempty"`
}

type Hidden struct {
	X    int32 `json:"x,omitempty"`
	Base *Base `json:"base,omitempty"`
}

type Base struct {
	Common string `json:"common,omitempty"`
}

// GuestbookSpec.
type GuestbookSpec struct {
	Base     `json:",inline"`
	Size     int32                  `json:"size,omitempty"`
	Template corev1.PodTemplateSpec `json:"template"`
	Selector *metav1.LabelSelector  `json:"selector,omitempty"`
	// +listType=map
	// +listMapKey=name
	// +listMapKey=protocol
	Ports []Port `json:"ports,omitempty"`
	// +listType=atomic
	AllPorts []Port `json:"allPorts,omitempty"`
	// +listType=set
	Names []string `json:"names,omitempty"`
	// +listType=map
	// +listMapKey=name
	Env    []corev1.EnvVar              `json:"env,omitempty"`
	Limits map[string]resource.Quantity `json:"limits,omitempty"`
	Bases  map[string]Base              `json:"bases,omitempty"`
	// +mapType=atomic
	Fixed map[string]Base `json:"fixed,omitempty"`
	// +structType=atomic
	Whole  *Base  `json:"whole,omitempty"`
	Hidden Hidden `json:"hidden,omitempty"`
	Maybe  *Base  `json:"maybe,omitempty"`
	Meta   metav1.ObjectMeta `json:"meta,omitempty"`
	OddName *Base `json:"odd-name,omitempty"`
}

type GuestbookStatus struct {
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource
type Guestbook struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GuestbookSpec   `json:"spec"`
	Status GuestbookStatus `json:"status,omitempty"`
}
