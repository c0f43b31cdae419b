// +groupName=golden.example.com
package v1

type WidgetSpec struct {
	Part Part `json:"part"`
}
