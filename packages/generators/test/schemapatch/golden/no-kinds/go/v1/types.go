// +groupName=demo.example.com
package v1

type Plain struct {
	A string `json:"a"`
}
