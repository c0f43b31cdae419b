// Package fields reads the fields of Go structs as encoding/json does.
package fields

import (
	"go/types"
	"maps"
	"reflect"
	"strings"
)

// OfStruct returns the types of the fields of a struct by their names in JSON. Fields of embedded structs without a name in JSON are fields of the struct
// itself, regardless of the options of the tag; those of the struct hide them.
func OfStruct(structure *types.Struct) map[string]types.Type {
	own, embedded := map[string]types.Type{}, map[string]types.Type{}
	for i := range structure.NumFields() {
		field := structure.Field(i)
		tag := reflect.StructTag(structure.Tag(i)).Get("json")
		name, _, _ := strings.Cut(tag, ",")
		if inner, isStruct := embeddedStruct(field); isStruct && name == "" {
			maps.Copy(embedded, OfStruct(inner))
			continue
		}
		if tag == "-" || !field.Exported() {
			continue
		}
		if name == "" {
			name = field.Name()
		}
		own[name] = field.Type()
	}
	maps.Copy(embedded, own)
	return embedded
}

func embeddedStruct(field *types.Var) (*types.Struct, bool) {
	kind := field.Type()
	if pointer, isPointer := kind.Underlying().(*types.Pointer); isPointer {
		kind = pointer.Elem()
	}
	inner, isStruct := kind.Underlying().(*types.Struct)
	return inner, isStruct && field.Embedded()
}
