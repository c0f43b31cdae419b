// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Widget is described in two sentences. The second is too long for the limit of bytes.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// A text without the end of a sentence that goes on and on and on
	Spec string `json:"spec"`
	// Averyveryverylongwordwithoutanyblankatallthatgoesonandonandon
	Word string `json:"word"`
	// Short.
	Short string `json:"short"`
}
