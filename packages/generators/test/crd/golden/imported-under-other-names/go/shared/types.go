package shared

// Port is a port.
type Port struct {
	// +kubebuilder:validation:Minimum=1
	Number int32 `json:"number"`
}

// +kubebuilder:validation:MinLength=1
type Name string
