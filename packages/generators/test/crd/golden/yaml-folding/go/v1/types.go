// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:validation:XValidation:rule="self.all(x, x.startsWith('aaaaaaaaaa') || x.startsWith('bbbbbbbbbbbbb') || x.startsWith('ccccccccc'))",message="a message that is so long that it has to be folded: it has a colon, which makes it quoted"
	Rules []string `json:"rules"`
	// One line that is long enough to be folded by the printer because it has more than eighty columns of text in it, twice.
	Plain string `json:"plain"`
	// One line: that is long enough to be folded by the printer, and has a colon, so that it stands in single quotes.
	Quoted string `json:"quoted"`
	// +kubebuilder:default="a\ttab in a text that is long enough to be folded, and is in double quotes therefore, which changes how"
	Tabbed string `json:"tabbed,omitempty"`
	// +kubebuilder:validation:Pattern=`^aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa$`
	NoBlank string `json:"noBlank"`
	// Two lines, of which this one is long enough to be folded if it were not in a literal block, where
	// nothing is folded.
	Block string `json:"block"`
	// +kubebuilder:example="ends with a long wooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooord of letters"
	Word string `json:"word"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
