package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Widget turns. It has a long text, with several sentences. This one is cut.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Template is embedded. It is long enough.
	Template Embedded `json:"template"`
}

type Embedded struct {
	metav1.ObjectMeta `json:"metadata"`
}
