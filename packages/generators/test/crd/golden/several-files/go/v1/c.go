package v1

// Part is in a file of its own.
type Part struct {
	Name string `json:"name"`
}
