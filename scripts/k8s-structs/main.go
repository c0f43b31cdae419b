// Prints facts of Kubernetes' API packages as a JSON object: the schemas that controller-gen makes of every struct and every named string,
// without descriptions, before and after references are resolved; the values of named strings with the fields that hold them; and the required fields of structs.
package main

import (
	"encoding/json"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

var places = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1":                     "meta/v1",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1": "apiextensions/v1",
	"k8s.io/kube-aggregator/pkg/apis/apiregistration/v1":       "apiregistration/v1",
	"k8s.io/apimachinery/pkg/api/resource":                     "",
	"k8s.io/apimachinery/pkg/util/intstr":                      "",
}

var groups = []string{
	"admission/v1", "admissionregistration/v1", "admissionregistration/v1alpha1", "admissionregistration/v1beta1", "apps/v1", "authentication/v1", "authorization/v1", "autoscaling/v1", "autoscaling/v2",
	"batch/v1", "certificates/v1", "coordination/v1", "core/v1", "discovery/v1", "events/v1", "flowcontrol/v1", "networking/v1",
	"node/v1", "policy/v1", "rbac/v1", "resource/v1", "scheduling/v1", "scheduling/v1alpha3", "storage/v1", "storagemigration/v1",
}

type entry struct {
	Raw  *apiext.JSONSchemaProps `json:"raw"`
	Flat *apiext.JSONSchemaProps `json:"flat"`
}

type output struct {
	Schemas map[string]entry `json:"schemas"`
	Strings stringFacts      `json:"strings"`
	// Required has the names of the fields of each struct that objects always have.
	Required map[string][]string `json:"required"`
}

func main() {
	for _, group := range groups {
		places["k8s.io/api/"+group] = group
	}
	paths := []string{}
	for path, name := range places {
		if name != "" {
			paths = append(paths, path)
		}
	}
	roots, err := loader.LoadRootsWithConfig(&packages.Config{Dir: filepath.Join("types", os.Args[1])}, paths...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	registry := &markers.Registry{}
	if err := crdmarkers.Register(registry); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	parser := &crd.Parser{
		Collector:           &markers.Collector{Registry: registry},
		Checker:             &loader.TypeChecker{},
		AllowDangerousTypes: true,
	}
	crd.AddKnownTypes(parser)
	result := output{
		Schemas:  map[string]entry{},
		Strings:  stringFacts{Values: map[string][]string{}, Aliases: map[string]string{}, Fields: map[string]map[string]string{}},
		Required: map[string][]string{},
	}
	// Older versions lack some groups.
	roots = slices.DeleteFunc(roots, func(root *loader.Package) bool { return len(root.GoFiles) == 0 })
	for _, root := range roots {
		parser.NeedPackage(root)
	}
	for _, root := range roots {
		collect(parser, root, result.Schemas)
		collectStrings(root, result.Strings)
		collectRequired(root, result.Required)
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		os.Exit(1)
	}
}

func collect(parser *crd.Parser, root *loader.Package, result map[string]entry) {
	for ident, info := range parser.Types {
		if ident.Package != root || info.Name == "JSONSchemaProps" {
			continue
		}
		object := root.Types.Scope().Lookup(ident.Name)
		if object == nil {
			continue
		}
		_, isStruct := object.Type().Underlying().(*types.Struct)
		isString := namedString(object.Type()) != ""
		if !isString && (!isStruct || mentionsSchemas(ident.Name, root.PkgPath)) {
			continue
		}
		parser.NeedFlattenedSchemaFor(ident)
		raw, flat := parser.Schemata[ident], parser.FlattenedSchemata[ident]
		rawCopy, flatCopy := raw.DeepCopy(), flat.DeepCopy()
		crd.EditSchema(rawCopy, descriptionRemover{})
		crd.EditSchema(flatCopy, descriptionRemover{})
		result[places[root.PkgPath]+"."+ident.Name] = entry{Raw: rawCopy, Flat: flatCopy}
	}
}

// Types that contain a JSONSchemaProps have no end.
func mentionsSchemas(name, path string) bool {
	return strings.Contains(path, "apiextensions") && (strings.HasPrefix(name, "JSONSchema") || strings.HasPrefix(name, "CustomResource"))
}

type descriptionRemover struct{}

func (descriptionRemover) Visit(schema *apiext.JSONSchemaProps) crd.SchemaVisitor {
	if schema == nil {
		return descriptionRemover{}
	}
	schema.Description = ""
	schema.Title = ""
	return descriptionRemover{}
}
