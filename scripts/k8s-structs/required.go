package main

import (
	"go/types"
	"sort"

	"kubescaffold.dev/k8s-structs/fields"
	"sigs.k8s.io/controller-tools/pkg/loader"
)

// collectRequired adds the names of the fields without which no object is encoded, by struct, such as "core/v1.Container".
func collectRequired(root *loader.Package, required map[string][]string) {
	scope := root.Types.Scope()
	for _, name := range scope.Names() {
		object, isType := scope.Lookup(name).(*types.TypeName)
		if !isType || !object.Exported() {
			continue
		}
		structure, isStruct := object.Type().Underlying().(*types.Struct)
		if !isStruct {
			continue
		}
		names := []string{}
		for field, facts := range fields.OfStruct(structure) {
			if !facts.IsOptional {
				names = append(names, field)
			}
		}
		sort.Strings(names)
		required[places[root.PkgPath]+"."+name] = names
	}
}
