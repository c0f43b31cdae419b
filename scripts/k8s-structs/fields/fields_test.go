package fields

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

const source = `package v1

type Policy string

type Inner struct {
	Pull Policy ` + "`json:\"pull\"`" + `
	Push Policy ` + "`json:\"push\"`" + `
}

type T struct {
	%s
}
`

func TestOfStruct(t *testing.T) {
	for _, test := range []struct{ fields, expected string }{
		{"Inner `json:\",inline\"`", "map[pull:v1.Policy push:v1.Policy]"},
		{"Inner `json:\"\"`", "map[pull:v1.Policy push:v1.Policy]"},
		{"Inner `json:\"\" protobuf:\"bytes,1,opt,name=inner\"`", "map[pull:v1.Policy push:v1.Policy]"},
		{"*Inner `json:\"\"`", "map[pull:v1.Policy push:v1.Policy]"},
		{"Inner", "map[pull:v1.Policy push:v1.Policy]"},
		{"Inner `json:\"inner,inline\"`", "map[inner:v1.Inner]"},
		{"Inner `json:\"-\"`", "map[]"},
		{"Field Inner `json:\"\"`", "map[Field:v1.Inner]"},
		{"Field Inner `json:\",inline\"`", "map[Field:v1.Inner]"},
		{"Inner `json:\"\"`; Pull int `json:\"pull\"`", "map[pull:int push:v1.Policy]"},
		{"Pull int `json:\"pull\"`; Inner `json:\"\"`", "map[pull:int push:v1.Policy]"},
		{"First int `json:\"\"`; Second int `json:\",omitempty\"`", "map[First:int Second:int]"},
		{"Policy `json:\"\"`", "map[Policy:v1.Policy]"},
		{"Field int `json:\"-\"`; field int `json:\"field\"`", "map[]"},
		{"Field int `json:\"-,\"`", "map[-:int]"},
	} {
		if found := fmt.Sprint(typesOf(OfStruct(structOf(t, test.fields)))); found != test.expected {
			t.Errorf("%s: found %s, expected %s", test.fields, found, test.expected)
		}
	}
}

func TestIsOptional(t *testing.T) {
	for _, test := range []struct {
		field    string
		expected bool
	}{
		{"Field int `json:\"field\"`", false},
		{"Field []string `json:\"field\"`", false},
		{"Field int", false},
		{"Field int `json:\"omitempty\"`", false},
		{"Field int `json:\"field,omitempty\"`", true},
		{"Field Inner `json:\"field,omitzero\"`", true},
		{"Field Policy `json:\",string,omitempty\"`", true},
		{"Field *Inner `json:\"field\"`", true},
	} {
		for name, found := range OfStruct(structOf(t, test.field)) {
			if found.IsOptional != test.expected {
				t.Errorf("%s: %s is optional: %t", test.field, name, found.IsOptional)
			}
		}
	}
}

func typesOf(fields map[string]Field) map[string]types.Type {
	found := map[string]types.Type{}
	for name, field := range fields {
		found[name] = field.Type
	}
	return found
}

func structOf(t *testing.T, fields string) *types.Struct {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "types.go", fmt.Sprintf(source, fields), 0)
	if err != nil {
		t.Fatal(err)
	}
	checked, err := (&types.Config{}).Check("v1", files, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return checked.Scope().Lookup("T").Type().Underlying().(*types.Struct)
}
