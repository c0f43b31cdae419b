// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:validation:Enum="a,b";"c;d";`e"f`;g h
	Enum string `json:"enum"`
	// +kubebuilder:validation:Pattern=`^"\d+"$`
	Raw string `json:"raw"`
	// +kubebuilder:validation:Pattern="^\"\\d+\"$"
	Escaped string `json:"escaped"`
	// +kubebuilder:validation:Pattern=^[a-z]+$
	Bare string `json:"bare"`
	// +kubebuilder:validation:Format="date-time"
	Format string `json:"format"`
	// +kubebuilder:example='single'
	Single string `json:"single"`
	// +kubebuilder:title=`back ticks`
	Title string `json:"title"`
	// +kubebuilder:validation:XValidation:rule="self != \"a\"",message=`say "b", not 'a'`
	Rule string `json:"rule"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
