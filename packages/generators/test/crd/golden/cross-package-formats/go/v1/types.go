// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"golden.example.com/cases/cases/lib"
)

// +kubebuilder:validation:Format=hostname
type Near string

// +kubebuilder:validation:Format=uri
type Nearer Near

type WidgetSpec struct {
	Elsewhere lib.Address `json:"elsewhere"`
	// +kubebuilder:validation:Format=email
	Narrowed lib.Address `json:"narrowed"`
	Here     Nearer      `json:"here"`
	// +kubebuilder:validation:Format=email
	HereNarrowed Nearer `json:"hereNarrowed"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
