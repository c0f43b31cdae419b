package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Widget turns.
//
//   - first
//   - second: "quoted"
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Yes: a colon
	// +kubebuilder:validation:Pattern=`^[a-z]{2}\d+"'$`
	Yes string `json:"yes"`
	// # begins with a hash
	// +kubebuilder:default="true"
	True string `json:"true"`
	// ends with a colon:
	// +kubebuilder:default="1e3"
	One string `json:"1"`
	// 'quoted' text
	// +kubebuilder:validation:Enum="1";on;"null";"~";"";" a";"a ";"2020-01-01";"0x1f";"<<";"-";"- a";"1_000";"#a";"a #b";"a: b";"*";"&a";"!b";"%c";"@d";"|";">";"{";"[";"?";"=";"."
	Enum string `json:"null"`
	// ünïcödé 日本 🎉 text
	// +kubebuilder:default="tab\there"
	Unicode string `json:"a b"`
	// +kubebuilder:validation:Maximum=1000000000000
	// +kubebuilder:validation:Minimum=-5
	// +kubebuilder:validation:MultipleOf=5
	// +kubebuilder:default=10
	Number int64 `json:"number"`
	// +kubebuilder:validation:XValidation:rule="self > 1 && self < 3",message="it's between",reason=FieldValueForbidden
	Rule int32 `json:"rule"`
	// +kubebuilder:default={b: {c: "1"}, a: "x"}
	Map map[string]string `json:"map"`
	// +kubebuilder:validation:items:MinLength=2
	// +kubebuilder:validation:MaxItems=3
	// +listType=set
	List []string `json:"list"`
}
