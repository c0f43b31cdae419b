package main

import (
	"fmt"
	"io"
	"reflect"
	"strings"
)

// printTextTypes writes one line for each struct with fields whose types have names that the schemas do not state:
// texts, lists of them, and maps.
func printTextTypes(out io.Writer, kinds []kind) {
	lines := map[string]string{}
	for _, each := range kinds {
		addTextTypes(lines, each.goType)
	}
	for _, name := range sortedKeys(lines) {
		if lines[name] != "" {
			fmt.Fprintf(out, "%s%s\n", name, lines[name])
		}
	}
}

func addTextTypes(lines map[string]string, t reflect.Type) {
	if t.Kind() != reflect.Struct {
		return
	}
	name := messageName(t)
	if _, isKnown := lines[name]; isKnown {
		return
	}
	lines[name] = ""
	var text strings.Builder
	for index := range t.NumField() {
		field := t.Field(index)
		goType := field.Type
		if goType.Kind() == reflect.Pointer {
			goType = goType.Elem()
		}
		if jsonName, _, _ := strings.Cut(field.Tag.Get("json"), ","); jsonName != "" && isNamedText(goType) {
			fmt.Fprintf(&text, "|%s:%s", jsonName, goType)
		}
		for goType.Kind() == reflect.Slice || goType.Kind() == reflect.Map || goType.Kind() == reflect.Pointer {
			goType = goType.Elem()
		}
		if isMessage(goType) {
			addTextTypes(lines, goType)
		}
	}
	lines[name] = text.String()
}

// isNamedText reports whether a type is a text, a list of texts, or a map, of which a part has its own name.
func isNamedText(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String:
		return t.PkgPath() != ""
	case reflect.Slice:
		return t.Elem().Kind() == reflect.String && isNamedText(t.Elem())
	case reflect.Map:
		return t.PkgPath() != "" || isNamedText(t.Key()) || isNamedText(t.Elem())
	default:
		return false
	}
}
