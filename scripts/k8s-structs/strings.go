package main

import (
	"go/constant"
	"go/types"
	"sort"

	"kubescaffold.dev/k8s-structs/fields"
	"sigs.k8s.io/controller-tools/pkg/loader"
)

// stringFacts holds the named string types of Kubernetes' API packages, as "core/v1.PullPolicy".
type stringFacts struct {
	// Values has the constants of each type, sorted.
	Values map[string][]string `json:"values"`
	// Aliases has the other names of such types.
	Aliases map[string]string `json:"aliases"`
	// Fields has the type of each field that is such a string, a pointer to one, or a list or map of them, as "core/v1.Container" and "imagePullPolicy".
	Fields map[string]map[string]string `json:"fields"`
}

func collectStrings(root *loader.Package, facts stringFacts) {
	scope := root.Types.Scope()
	for _, name := range scope.Names() {
		switch object := scope.Lookup(name).(type) {
		case *types.TypeName:
			if !object.Exported() {
				continue
			}
			if object.IsAlias() {
				if named := namedString(object.Type()); named != "" {
					facts.Aliases[places[root.PkgPath]+"."+name] = named
				}
				continue
			}
			switch underlying := object.Type().Underlying().(type) {
			case *types.Basic:
				if named := namedString(object.Type()); named != "" && facts.Values[named] == nil {
					facts.Values[named] = []string{}
				}
			case *types.Struct:
				if found := stringFields(underlying); len(found) > 0 {
					facts.Fields[places[root.PkgPath]+"."+name] = found
				}
			}
		case *types.Const:
			if named := namedString(object.Type()); named != "" && object.Exported() {
				facts.Values[named] = withValue(facts.Values[named], constant.StringVal(object.Val()))
			}
		}
	}
}

func withValue(values []string, value string) []string {
	for _, known := range values {
		if known == value {
			return values
		}
	}
	values = append(values, value)
	sort.Strings(values)
	return values
}

func stringFields(structure *types.Struct) map[string]string {
	found := map[string]string{}
	for name, field := range fields.OfStruct(structure) {
		if named := namedString(elementOf(field.Type)); named != "" {
			found[name] = named
		}
	}
	return found
}

func elementOf(kind types.Type) types.Type {
	if namedString(kind) != "" {
		return kind
	}
	switch underlying := kind.Underlying().(type) {
	case *types.Pointer:
		return elementOf(underlying.Elem())
	case *types.Slice:
		return elementOf(underlying.Elem())
	case *types.Map:
		return elementOf(underlying.Elem())
	}
	return kind
}

// namedString returns the name of a string type of the packages, or nothing.
func namedString(kind types.Type) string {
	named, isNamed := types.Unalias(kind).(*types.Named)
	if !isNamed || named.Obj().Pkg() == nil || !named.Obj().Exported() {
		return ""
	}
	basic, isBasic := named.Underlying().(*types.Basic)
	place := places[named.Obj().Pkg().Path()]
	if !isBasic || basic.Kind() != types.String || place == "" {
		return ""
	}
	return place + "." + named.Obj().Name()
}
