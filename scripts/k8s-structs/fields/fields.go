// Package fields reads the fields of Go structs as encoding/json does.
package fields

import (
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Field is a field of a struct in JSON.
type Field struct {
	Type types.Type
	// IsOptional reports whether objects may lack the field: it is a pointer, or its tag says that an empty value is left out.
	IsOptional bool
}

// OfStruct returns the fields of a struct by their names in JSON. Fields of embedded structs without a name in JSON are fields of the struct
// itself, regardless of the options of the tag; those of the struct hide them.
func OfStruct(structure *types.Struct) map[string]Field {
	own, embedded := map[string]Field{}, map[string]Field{}
	for i := range structure.NumFields() {
		field := structure.Field(i)
		tag := reflect.StructTag(structure.Tag(i)).Get("json")
		name, options, _ := strings.Cut(tag, ",")
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
		own[name] = Field{Type: field.Type(), IsOptional: isOptional(field.Type(), options)}
	}
	maps.Copy(embedded, own)
	return embedded
}

func isOptional(kind types.Type, options string) bool {
	_, isPointer := kind.Underlying().(*types.Pointer)
	listed := strings.Split(options, ",")
	return isPointer || slices.Contains(listed, "omitempty") || slices.Contains(listed, "omitzero")
}

func embeddedStruct(field *types.Var) (*types.Struct, bool) {
	kind := field.Type()
	if pointer, isPointer := kind.Underlying().(*types.Pointer); isPointer {
		kind = pointer.Elem()
	}
	inner, isStruct := kind.Underlying().(*types.Struct)
	return inner, isStruct && field.Embedded()
}
