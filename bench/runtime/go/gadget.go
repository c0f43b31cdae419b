package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var gadgetVersion = schema.GroupVersion{Group: "bench.kubescaffold.dev", Version: "v1"}

// A Gadget is the custom resource of gadget.yaml.
type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GadgetSpec   `json:"spec,omitempty"`
	Status GadgetStatus `json:"status,omitempty"`
}

type GadgetSpec struct {
	Image    string `json:"image,omitempty"`
	Replicas int64  `json:"replicas,omitempty"`
}

type GadgetStatus struct {
	Ready              bool  `json:"ready,omitempty"`
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

type GadgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Gadget `json:"items"`
}

func (g *Gadget) copyOf() Gadget {
	copied := *g
	g.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	return copied
}

func (g *Gadget) DeepCopyObject() runtime.Object {
	copied := g.copyOf()
	return &copied
}

func (l *GadgetList) DeepCopyObject() runtime.Object {
	copied := *l
	l.ListMeta.DeepCopyInto(&copied.ListMeta)
	copied.Items = make([]Gadget, len(l.Items))
	for i := range l.Items {
		copied.Items[i] = l.Items[i].copyOf()
	}
	return &copied
}

func addGadgets(scheme *runtime.Scheme) {
	scheme.AddKnownTypes(gadgetVersion, &Gadget{}, &GadgetList{})
	metav1.AddToGroupVersion(scheme, gadgetVersion)
}
