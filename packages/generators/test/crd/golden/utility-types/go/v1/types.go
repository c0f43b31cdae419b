// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Source has all forms of properties.
// +kubebuilder:validation:MinProperties=1
type Source struct {
	// a is text.
	// +kubebuilder:validation:MinLength=1
	A string `json:"a"`
	B int32  `json:"b,omitempty"`
	// +required
	C bool `json:"c"`
}

type PartialSource struct {
	// a is text.
	// +kubebuilder:validation:MinLength=1
	A string `json:"a,omitempty"`
	B int32  `json:"b,omitempty"`
	// +required
	C bool `json:"c,omitempty"`
}

type PickedSource struct {
	// a is text.
	// +kubebuilder:validation:MinLength=1
	A string `json:"a"`
	B int32  `json:"b,omitempty"`
}

type OmittedSource struct {
	B int32 `json:"b,omitempty"`
	// +required
	C bool `json:"c"`
}

// Source has all forms of properties.
// +kubebuilder:validation:MinProperties=1
type RequiredSource struct {
	// a is text.
	// +kubebuilder:validation:MinLength=1
	A string `json:"a"`
	B int32  `json:"b"`
	C bool   `json:"c"`
}

type Record struct {
	X int32 `json:"x"`
	Y int32 `json:"y"`
}

// Box holds a value.
type StringBox struct {
	// The value.
	Value string   `json:"value"`
	Items []string `json:"items,omitempty"`
}

// Box holds a value.
type IntBox struct {
	// The value.
	Value int32   `json:"value"`
	Items []int32 `json:"items,omitempty"`
}

// Box holds a value.
type BoxBox struct {
	// The value.
	Value IntBox   `json:"value"`
	Items []IntBox `json:"items,omitempty"`
}

type Pair struct {
	Left  string `json:"left"`
	Right string `json:"right"`
}

type WidgetSpec struct {
	Partial    PartialSource  `json:"partial"`
	Picked     PickedSource   `json:"picked"`
	Omitted    OmittedSource  `json:"omitted"`
	Readonly   Source         `json:"readonly"`
	Required   RequiredSource `json:"required"`
	Record     Record         `json:"record"`
	Box        StringBox      `json:"box"`
	BoxOfBoxes BoxBox         `json:"boxOfBoxes"`
	Pair       Pair           `json:"pair"`
	NonNull    string         `json:"nonNull"`
	// +kubebuilder:validation:Enum=a;c
	Without string `json:"without"`
	// +kubebuilder:validation:Enum=b
	Only string `json:"only"`
	// +kubebuilder:validation:Enum=a;b;c
	Key string `json:"key"`
	// +kubebuilder:validation:Enum=fast;slow
	Mode string `json:"mode"`
	// +kubebuilder:validation:Enum=S;L
	Size    string          `json:"size"`
	Indexed int32           `json:"indexed"`
	List    []string        `json:"list"`
	Frozen  []int32         `json:"frozen"`
	Index   map[string]bool `json:"index"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
