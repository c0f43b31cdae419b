package main

import (
	admissionv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
)

const namespace = "default"

var shelfKind = schema.GroupVersionKind{Group: "library.example.com", Version: "v1", Kind: "Shelf"}

// definitions returns the CRD of a kind with validation, a default, and a status.
func definitions() []*apiextensionsv1.CustomResourceDefinition {
	spec := apiextensionsv1.JSONSchemaProps{
		Type:     "object",
		Required: []string{"books"},
		Properties: map[string]apiextensionsv1.JSONSchemaProps{
			"books": {Type: "integer", Minimum: ptr.To(0.0)},
			"room":  {Type: "string", Default: &apiextensionsv1.JSON{Raw: []byte(`"hall"`)}},
		},
	}
	status := apiextensionsv1.JSONSchemaProps{
		Type:       "object",
		Properties: map[string]apiextensionsv1.JSONSchemaProps{"isFull": {Type: "boolean"}},
	}
	return []*apiextensionsv1.CustomResourceDefinition{{
		ObjectMeta: metav1.ObjectMeta{Name: "shelves.library.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: shelfKind.Group,
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{
				Kind: shelfKind.Kind, ListKind: "ShelfList", Plural: "shelves", Singular: "shelf", ShortNames: []string{"sh"},
			},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: shelfKind.Version, Served: true, Storage: true,
				Subresources: &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
					Type:       "object",
					Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec, "status": status},
				}},
			}},
		},
	}}
}

// newShelf returns an object of that kind.
func newShelf(name string, books int64) *unstructured.Unstructured {
	shelf := &unstructured.Unstructured{}
	shelf.SetGroupVersionKind(shelfKind)
	shelf.SetNamespace(namespace)
	shelf.SetName(name)
	if err := unstructured.SetNestedField(shelf.Object, books, "spec", "books"); err != nil {
		panic(err)
	}
	return shelf
}

var configMapRules = []admissionv1.RuleWithOperations{{
	Operations: []admissionv1.OperationType{admissionv1.Create},
	Rule:       admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"configmaps"}},
}}

// reviewed selects the objects of the step about webhooks, since the server of the others does not run.
var reviewed = &metav1.LabelSelector{MatchLabels: map[string]string{"reviewed": "true"}}

func clientConfigOf(path string) admissionv1.WebhookClientConfig {
	service := admissionv1.ServiceReference{Namespace: namespace, Name: "webhooks", Path: ptr.To(path)}
	return admissionv1.WebhookClientConfig{Service: &service}
}

func mutatingWebhooks() []*admissionv1.MutatingWebhookConfiguration {
	return []*admissionv1.MutatingWebhookConfiguration{{
		ObjectMeta: metav1.ObjectMeta{Name: "labels"},
		Webhooks: []admissionv1.MutatingWebhook{{
			Name: "labels.example.com", ClientConfig: clientConfigOf("/mutate"), Rules: configMapRules, ObjectSelector: reviewed,
			SideEffects: ptr.To(admissionv1.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
		}},
	}}
}

func validatingWebhooks() []*admissionv1.ValidatingWebhookConfiguration {
	return []*admissionv1.ValidatingWebhookConfiguration{{
		ObjectMeta: metav1.ObjectMeta{Name: "names"},
		Webhooks: []admissionv1.ValidatingWebhook{{
			Name: "names.example.com", ClientConfig: clientConfigOf("/validate"), Rules: configMapRules, ObjectSelector: reviewed,
			SideEffects: ptr.To(admissionv1.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
		}},
	}}
}
