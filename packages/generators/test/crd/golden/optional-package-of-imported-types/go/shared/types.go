// +kubebuilder:validation:Optional
package shared

type Shared struct {
	A string `json:"a"`
	// +required
	B string `json:"b"`
}
