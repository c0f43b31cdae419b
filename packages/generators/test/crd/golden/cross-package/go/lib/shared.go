// +kubebuilder:validation:Optional
package lib

// Shared is shared.
type Shared struct {
	X string `json:"x"`
	// +required
	Y string `json:"y"`
}

// Name has a pattern.
// +kubebuilder:validation:Pattern="^x"
type Name string

type Inherited struct {
	Z Name `json:"z"`
}
