// Package v1 holds the API of the group webapp.demo.
// +kubebuilder:object:generate=true
// +groupName=webapp.demo
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group and the version of the kinds in this folder.
var GroupVersion = schema.GroupVersion{Group: "webapp.demo", Version: "v1"}

// AddToScheme makes the kinds of this folder known to a scheme.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Guestbook{}, &GuestbookList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
