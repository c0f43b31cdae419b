package shared

type Shared struct {
	A string `json:"a"`
	// +optional
	B string `json:"b"`
}
