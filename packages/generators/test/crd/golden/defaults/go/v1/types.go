// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Inner struct {
	A string `json:"a,omitempty"`
	B int32  `json:"b,omitempty"`
}

type WidgetSpec struct {
	// +kubebuilder:default=hello world
	Text string `json:"text,omitempty"`
	// +kubebuilder:default="a, b"
	Quoted string `json:"quoted,omitempty"`
	// +kubebuilder:default=5
	Number int32 `json:"number,omitempty"`
	// +kubebuilder:default=9223372036854775807
	Huge int64 `json:"huge,omitempty"`
	// +kubebuilder:default=true
	Flag bool `json:"flag,omitempty"`
	// +kubebuilder:default={a,b}
	List []string `json:"list,omitempty"`
	// +kubebuilder:default=x;y;z
	Legacy []string `json:"legacy,omitempty"`
	// +kubebuilder:default={}
	Empty []string `json:"empty,omitempty"`
	// +kubebuilder:default={}
	EmptyMap map[string]string `json:"emptyMap,omitempty"`
	// +kubebuilder:default={a: one, b: 2}
	Object Inner `json:"object,omitempty"`
	// +kubebuilder:default={{a: one}, {a: "two", b: 2}}
	Objects []Inner `json:"objects,omitempty"`
	// +default="json"
	JSON string `json:"json,omitempty"`
	// +default={"a":"x","b":7}
	JSONObject Inner `json:"jsonObject,omitempty"`
	// +default=["p","q"]
	JSONList []string `json:"jsonList,omitempty"`
	// +default=null
	Nothing string `json:"nothing,omitempty"`
	// +default=ref(SomeConstant)
	Reference string `json:"reference,omitempty"`
	// +default="loses"
	// +kubebuilder:default=wins
	Both string `json:"both,omitempty"`
	// +kubebuilder:example=3
	Example int32 `json:"example,omitempty"`
	// +kubebuilder:example={a: x}
	ExampleObject Inner `json:"exampleObject,omitempty"`
	// +kubebuilder:title="A title"
	Titled string `json:"titled,omitempty"`
	// +kubebuilder:externalDocs:url="https://example.com/docs",description=Read on
	Documented string `json:"documented,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
