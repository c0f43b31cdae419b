// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// ääääääää
	Umlauts string `json:"umlauts"`
	// 日本語。日本語
	Full string `json:"full"`
	// ab 😀😀😀
	Emoji string `json:"emoji"`
	// aaaaaaa ä b
	Blank string `json:"blank"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
