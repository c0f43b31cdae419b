package main

import (
	apidiscovery "k8s.io/api/apidiscovery/v2"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// newScheme returns the kinds that a server serves by default, and those of requests and responses.
func newScheme() *runtime.Scheme {
	all := runtime.NewScheme()
	utilruntime.Must(scheme.AddToScheme(all))
	utilruntime.Must(apiextensions.AddToScheme(all))
	utilruntime.Must(apiregistration.AddToScheme(all))
	utilruntime.Must(apidiscovery.AddToScheme(all))
	utilruntime.Must(metav1.AddMetaToScheme(all))
	utilruntime.Must(metav1beta1.AddMetaToScheme(all))
	metav1.AddToGroupVersion(all, schema.GroupVersion{Version: "v1"})
	return all
}
