// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// Short.
	Short string `json:"short"`
	// One sentence. And another one that is cut.
	Sentence string `json:"sentence"`
	// Really? Yes indeed, it is so long.
	Question string `json:"question"`
	// words without any end of a sentence in them
	Words string `json:"words"`
	// Donaudampfschifffahrtsgesellschaft
	Long string `json:"long"`
	// Exactly twenty bytes
	Exact string `json:"exact"`
	// First line
	// second line that goes on
	Lines string `json:"lines"`
	// v1.2.3 is not the end of it
	Dots string `json:"dots"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
