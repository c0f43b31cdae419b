// Command oracle answers test cases with the libraries of kube-apiserver: a list of cases in, a list of answers out.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

type testCase struct {
	Op        string          `json:"op"`
	Schema    json.RawMessage `json:"schema"`
	Value     json.RawMessage `json:"value"`
	Previous  json.RawMessage `json:"previous"`
	Patch     json.RawMessage `json:"patch"`
	Type      string          `json:"type"`
	HasStatus bool            `json:"hasStatus"`
}

func main() {
	var cases []testCase
	check(json.NewDecoder(os.Stdin).Decode(&cases))
	answers := make([]interface{}, len(cases))
	for i, c := range cases {
		answers[i] = answer(c)
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	check(out.Encode(answers))
}

func answer(c testCase) (result interface{}) {
	defer func() {
		if reason := recover(); reason != nil {
			result = map[string]interface{}{"panic": fmt.Sprint(reason)}
		}
	}()
	switch c.Op {
	case "validate":
		return validate(c)
	case "prune":
		value := decode(c.Value)
		unknown := pruning.PruneWithOptions(value, structuralOf(c.Schema), true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
		if unknown == nil {
			unknown = []string{}
		}
		return map[string]interface{}{"value": value, "unknownFields": unknown}
	case "default":
		value := decode(c.Value)
		defaulting.PruneNonNullableNullsWithoutDefaults(value, structuralOf(c.Schema))
		defaulting.Default(value, structuralOf(c.Schema))
		return map[string]interface{}{"value": value}
	case "structural":
		return structural(c)
	case "format":
		return formatVerdicts(c)
	case "strategic":
		return outcome(strategicpatch.StrategicMergePatch(c.Value, c.Patch, typed(c.Type)))
	case "strategic-create":
		return outcome(strategicpatch.CreateTwoWayMergePatch(c.Value, c.Patch, typed(c.Type)))
	case "merge":
		return outcome(jsonpatch.MergePatch(c.Value, c.Patch))
	case "merge-create":
		return outcome(jsonpatch.CreateMergePatch(c.Value, c.Patch))
	case "json-patch":
		patch, err := jsonpatch.DecodePatch(c.Patch)
		if err != nil {
			return outcome(nil, err)
		}
		return outcome(patch.Apply(c.Value))
	}
	panic("unknown op " + c.Op)
}

// One character per text: 1 where the format accepts it.
func formatVerdicts(c testCase) interface{} {
	var texts []string
	check(json.Unmarshal(c.Value, &texts))
	verdicts := make([]byte, len(texts))
	for i, text := range texts {
		verdicts[i] = '0'
		if strfmt.Default.Validates(c.Type, text) {
			verdicts[i] = '1'
		}
	}
	return map[string]interface{}{"value": string(verdicts)}
}

func outcome(doc []byte, err error) interface{} {
	if err != nil {
		return map[string]interface{}{"error": err.Error()}
	}
	return map[string]interface{}{"value": json.RawMessage(doc)}
}

func typed(name string) interface{} {
	switch name {
	case "Pod":
		return &corev1.Pod{}
	case "Service":
		return &corev1.Service{}
	case "Deployment":
		return &appsv1.Deployment{}
	}
	panic("unknown type " + name)
}

func validate(c testCase) interface{} {
	schema := internalOf(c.Schema)
	value := decode(c.Value)
	validator, _, err := validation.NewSchemaValidator(schema)
	check(err)
	var errs field.ErrorList
	if c.Previous == nil {
		errs = validation.ValidateCustomResource(nil, value, validator)
	} else {
		errs = validation.ValidateCustomResourceUpdate(nil, value, decode(c.Previous), validator, validation.WithRatcheting(nil))
	}
	s := structuralOf(c.Schema)
	errs = append(errs, objectmeta.Validate(nil, value, s, false)...)
	if object, ok := value.(map[string]interface{}); ok {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, s, object)...)
	}
	return map[string]interface{}{"errors": report(errs)}
}

func report(errs field.ErrorList) []string {
	lines := []string{}
	for _, err := range errs {
		lines = append(lines, string(err.Type)+" "+err.Error())
	}
	sort.Strings(lines)
	return lines
}

func structural(c testCase) interface{} {
	var props apiextensionsv1.JSONSchemaProps
	check(json.Unmarshal(c.Schema, &props))
	version := apiextensionsv1.CustomResourceDefinitionVersion{
		Name: "v1", Served: true, Storage: true,
		Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &props},
	}
	if c.HasStatus {
		version.Subresources = &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}}
	}
	crd := &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "foos.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "example.com", Scope: apiextensionsv1.NamespaceScoped,
			Names:    apiextensionsv1.CustomResourceDefinitionNames{Plural: "foos", Singular: "foo", Kind: "Foo", ListKind: "FooList"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{version},
		},
		Status: apiextensionsv1.CustomResourceDefinitionStatus{StoredVersions: []string{"v1"}},
	}
	scheme := runtime.NewScheme()
	install.Install(scheme)
	scheme.Default(crd)
	internal := &apiextensions.CustomResourceDefinition{}
	check(scheme.Convert(crd, internal, nil))
	errs := crdvalidation.ValidateCustomResourceDefinition(context.Background(), internal)
	kept := field.ErrorList{}
	for _, err := range errs {
		if strings.HasPrefix(err.Field, "spec.validation") {
			kept = append(kept, err)
		}
	}
	return map[string]interface{}{"errors": report(kept)}
}

func internalOf(raw json.RawMessage) *apiextensions.JSONSchemaProps {
	var props apiextensionsv1.JSONSchemaProps
	check(json.Unmarshal(raw, &props))
	internal := &apiextensions.JSONSchemaProps{}
	check(apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, internal, nil))
	return internal
}

func structuralOf(raw json.RawMessage) *structuralschema.Structural {
	s, err := structuralschema.NewStructural(internalOf(raw))
	check(err)
	return s
}

func decode(raw json.RawMessage) interface{} {
	var value interface{}
	check(utiljson.Unmarshal(bytes.TrimSpace(raw), &value))
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
