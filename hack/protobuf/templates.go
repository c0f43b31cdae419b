package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/dump"
	"k8s.io/apimachinery/pkg/util/rand"
)

// printTemplateStructs writes the structs that a pod template consists of, one a line: the name in Go, and the fields in order, each with its name in Go,
// its name in JSON, and its type.
func printTemplateStructs(out io.Writer) {
	structs := map[string]string{}
	addStruct(structs, reflect.TypeFor[corev1.PodTemplateSpec]())
	for _, name := range sortedKeys(structs) {
		fmt.Fprintf(out, "%s%s\n", name, structs[name])
	}
}

// Types whose fields JSON does not show.
var opaque = []string{"v1.Time", "resource.Quantity", "intstr.IntOrString", "v1.FieldsV1"}

func addStruct(structs map[string]string, t reflect.Type) {
	name := t.String()
	if _, isKnown := structs[name]; isKnown || slices.Contains(opaque, name) {
		return
	}
	structs[name] = ""
	var line strings.Builder
	for index := range t.NumField() {
		field := t.Field(index)
		jsonName, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		fmt.Fprintf(&line, "|%s:%s:%s", field.Name, jsonName, goTypeOf(field.Type))
		inner := field.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice || inner.Kind() == reflect.Map {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct {
			addStruct(structs, inner)
		}
	}
	structs[name] = line.String()
}

// goTypeOf returns the type as Go prints it, with the kind of named types that are no structs.
func goTypeOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + goTypeOf(t.Elem())
	case reflect.Slice:
		if t.Name() != "" {
			return t.String() + "=[]" + goTypeOf(t.Elem())
		}
		return "[]" + goTypeOf(t.Elem())
	case reflect.Map:
		if t.Name() != "" {
			return t.String() + "=map[" + goTypeOf(t.Key()) + "]" + goTypeOf(t.Elem())
		}
		return "map[" + goTypeOf(t.Key()) + "]" + goTypeOf(t.Elem())
	case reflect.Struct:
		return t.String()
	default:
		if t.PkgPath() == "" {
			return t.Kind().String()
		}
		return t.String() + "=" + t.Kind().String()
	}
}

type hashedTemplate struct {
	Text string `json:"text"`
	Hash string `json:"hash"`
}

// printTemplates reads pod templates in JSON, one a line, decodes them as controllers receive them, and writes the text and the hash of each.
func printTemplates(out io.Writer, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<26)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		var given, received corev1.PodTemplateSpec
		if err := json.Unmarshal(lines.Bytes(), &given); err != nil {
			return err
		}
		message, err := given.Marshal()
		if err != nil {
			return err
		}
		if err := received.Unmarshal(message); err != nil {
			return err
		}
		text := dump.ForHash(received)
		hash := fnv.New32a()
		fmt.Fprint(hash, text)
		if err := encoder.Encode(hashedTemplate{text, rand.SafeEncodeString(fmt.Sprint(hash.Sum32()))}); err != nil {
			return err
		}
	}
	return lines.Err()
}
