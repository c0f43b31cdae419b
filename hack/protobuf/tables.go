package main

import (
	"fmt"
	"io"
	"path"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Types with special forms in JSON, by the letter that stands for each in the table.
var specials = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":                                             "T",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":                                        "M",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":                                         "F",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":                                         "Q",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString":                                       "I",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":                                          "R",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON":                         "J",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray":       "A",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool":        "O",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray": "S",
}

type marshaler interface{ Marshal() ([]byte, error) }

var marshalerType = reflect.TypeFor[marshaler]()

func isMessage(t reflect.Type) bool { return reflect.PointerTo(t).Implements(marshalerType) }

// kind is one kind of a group-version with its Go type.
type kind struct {
	gvk    schema.GroupVersionKind
	goType reflect.Type
}

// kindsOf returns the kinds of the given API versions that protocol buffers can carry, sorted.
func kindsOf(scheme *runtime.Scheme, apiVersions []string) []kind {
	var found []kind
	for _, apiVersion := range apiVersions {
		groupVersion, err := schema.ParseGroupVersion(apiVersion)
		if err != nil {
			panic(err)
		}
		for name, goType := range scheme.KnownTypes(groupVersion) {
			if isMessage(goType) && !strings.HasPrefix(name, "__") && name != "InternalEvent" {
				found = append(found, kind{groupVersion.WithKind(name), goType})
			}
		}
	}
	slices.SortFunc(found, func(a, b kind) int { return strings.Compare(a.gvk.String(), b.gvk.String()) })
	return found
}

// printTables writes one line for each API version with its package, then one line for each message.
func printTables(out io.Writer, kinds []kind) {
	packages := map[string]string{}
	messages := map[string]string{}
	for _, each := range kinds {
		place, _, _ := strings.Cut(messageName(each.goType), ".")
		if each.gvk.Group == "meta.k8s.io" {
			packages[each.gvk.GroupVersion().String()] = "meta/" + each.gvk.Version
		} else if place != "meta/v1" {
			packages[each.gvk.GroupVersion().String()] = place
		}
		addMessage(messages, each.goType)
	}
	for _, apiVersion := range sortedKeys(packages) {
		fmt.Fprintf(out, "%s=%s\n", apiVersion, packages[apiVersion])
	}
	fmt.Fprintln(out)
	for _, name := range sortedKeys(messages) {
		fmt.Fprintf(out, "%s%s\n", name, messages[name])
	}
}

func sortedKeys(values map[string]string) []string {
	var keys []string
	for key := range values {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// messageName returns a name such as core/v1.Pod.
func messageName(t reflect.Type) string {
	folder, version := path.Split(t.PkgPath())
	return path.Base(folder) + "/" + version + "." + t.Name()
}

func addMessage(messages map[string]string, t reflect.Type) {
	name := messageName(t)
	if _, isKnown := messages[name]; isKnown {
		return
	}
	messages[name] = ""
	type line struct {
		number int
		text   string
	}
	var lines []line
	for index := range t.NumField() {
		field := t.Field(index)
		tag := field.Tag.Get("protobuf")
		if tag == "" || tag == "-" {
			continue
		}
		var number int
		if _, err := fmt.Sscan(strings.Split(tag, ",")[1], &number); err != nil {
			panic(err)
		}
		lines = append(lines, line{number, fmt.Sprintf("|%d%s", number, describeField(messages, t, field))})
	}
	slices.SortFunc(lines, func(a, b line) int { return a.number - b.number })
	var text strings.Builder
	for _, each := range lines {
		text.WriteString(each.text)
	}
	messages[name] = text.String()
}

// describeField returns the flags, the name in JSON, and the type of a field.
func describeField(messages map[string]string, owner reflect.Type, field reflect.StructField) string {
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	flags := ""
	goType := field.Type
	if goType.Kind() == reflect.Pointer {
		flags += "?"
		goType = goType.Elem()
	}
	words := strings.Split(options, ",")
	if slices.Contains(words, "inline") || (field.Anonymous && name == "") {
		flags += "^"
		name = field.Name
	}
	if slices.Contains(words, "omitzero") {
		flags += "~"
	} else if !slices.Contains(words, "omitempty") {
		flags += "!"
	}
	if name == "" || name == "-" {
		panic(fmt.Sprintf("%s.%s has no name in JSON", owner, field.Name))
	}
	return flags + name + ":" + describeType(messages, owner, goType)
}

func describeType(messages map[string]string, owner, t reflect.Type) string {
	if letter, isSpecial := specials[t.PkgPath()+"."+t.Name()]; isSpecial {
		if letter == "A" || letter == "O" || letter == "S" {
			addMessage(messages, owner)
		}
		return letter
	}
	switch t.Kind() {
	case reflect.String:
		return "s"
	case reflect.Bool:
		return "B"
	case reflect.Int32:
		return "i"
	case reflect.Int64:
		return "l"
	case reflect.Float64:
		return "d"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "b"
		}
		if isMessage(t) {
			return "V"
		}
		return "*" + describeType(messages, owner, t.Elem())
	case reflect.Map:
		return "%" + describeType(messages, owner, t.Elem())
	case reflect.Struct:
		addMessage(messages, t)
		if t.PkgPath() == owner.PkgPath() {
			return "@" + t.Name()
		}
		return "@" + messageName(t)
	default:
		panic(fmt.Sprintf("%s has a field of type %s", owner, t))
	}
}
