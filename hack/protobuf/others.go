package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
)

// printOtherKinds writes one line for each API version that is not given, with its kinds but for those that each version has.
func printOtherKinds(out io.Writer, scheme *runtime.Scheme, apiVersions []string) {
	kinds := map[string][]string{}
	for gvk, goType := range scheme.AllKnownTypes() {
		version := gvk.GroupVersion().String()
		isGiven := slices.Contains(apiVersions, version) || gvk.Version == runtime.APIVersionInternal
		if !isGiven && !strings.HasSuffix(goType.PkgPath(), "/meta/v1") {
			kinds[version] = append(kinds[version], gvk.Kind)
		}
	}
	lines := map[string]string{}
	for version, names := range kinds {
		slices.Sort(names)
		lines[version] = strings.Join(names, "|")
	}
	for _, version := range sortedKeys(lines) {
		fmt.Fprintf(out, "%s=%s\n", version, lines[version])
	}
}
