// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:validation:Enum="yes";"no";"null";"~";"1";"0x1f";"1.5";"2024-01-15";"1:30";"";" lead";"a: b";"a #b";"- x";"*";"&a";"!t";"%p";"@m";"true";"y"
	Words string `json:"words"`
	// +kubebuilder:default="tab\there"
	Tab string `json:"tab,omitempty"`
	// +kubebuilder:default="line\nbreak"
	Line string `json:"line,omitempty"`
	// +kubebuilder:default="line\nbreak\n"
	Lines string `json:"lines,omitempty"`
	// +kubebuilder:default="\U0001F600"
	Emoji string `json:"emoji,omitempty"`
	// +kubebuilder:default="it's \"quoted\" \\ back"
	Quotes string `json:"quotes,omitempty"`
	// +kubebuilder:default={b: 1, a10: 2, a2: 3, _x: 4, B: 5, a-b: 6, "é": 7, "1": 8}
	Keys map[string]int32 `json:"keys,omitempty"`
	// +kubebuilder:default=100Mi
	Bare string `json:"bare,omitempty"`
	// +kubebuilder:default=2024-01-15
	Date string `json:"date,omitempty"`
	// +kubebuilder:default='d'
	Single string `json:"single,omitempty"`
	Dashed string `json:"dashed-name"`
	Digit  string `json:"1digit,omitempty"`
	Under  string `json:"_under,omitempty"`
	UPPER  string `json:"UPPER,omitempty"`
	True   string `json:"true,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
