// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Storage is one of several.
// +kubebuilder:validation:XValidation:rule="!(self.type == \"disk\") || has(self.path)",message="path must be set when type is disk"
// +kubebuilder:validation:XValidation:rule="!has(self.path) || self.type == \"disk\"",message="path may be set only when type is disk"
// +kubebuilder:validation:XValidation:rule="!(self.type in [\"disk\", \"memory\", \"swap\"]) || has(self.size)",message="size must be set when type is disk or memory or swap"
// +kubebuilder:validation:XValidation:rule="!has(self.size) || self.type in [\"disk\", \"memory\", \"swap\"]",message="size may be set only when type is disk or memory or swap"
// +kubebuilder:validation:XValidation:rule="!has(self.shared) || self.type in [\"memory\", \"swap\"]",message="shared may be set only when type is memory or swap"
type Storage struct {
	// The kind of storage.
	// +kubebuilder:validation:Enum=disk;memory;swap;none
	Type string `json:"type"`
	// Where it is.
	Path   string `json:"path,omitempty"`
	Size   int32  `json:"size,omitempty"`
	Shared bool   `json:"shared,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Storage `json:"spec"`
}
