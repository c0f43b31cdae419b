import { describe, expect, it } from "vitest";

import { readGoTypes } from "../../src/descriptions/read-go-types.ts";

const CORE = `/*
Copyright notice.

type NoType struct {
*/

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// A comment of nothing.

// Container runs in a Pod.
//
// It has an image.
// +k8s:openapi-gen=true
type Container struct {
	metav1.TypeMeta \`json:",inline"\`
	// Arguments:
	//   - in order
	// TODO: more
	// +optional
	Args []string \`json:"args,omitempty" protobuf:"bytes,4,rep,name=args"\`

	Policy PullPolicy \`json:"policy,omitempty"\`
	// The capabilities.
	Add []Capability \`json:"add,omitempty"\`
	Limits map[string]*Probe \`json:"limits,omitempty"\`
	UID types.UID \`json:"uid"\`
	Hidden string \`json:"-"\`
	// Text before dashes.
	// ---
	// Text after dashes.
	Image string \`json:"image"\`
	internal string
}

// PullPolicy of an image.
// +enum
type PullPolicy string

const (
	// Always pulls.
	Always PullPolicy = "Always"
)

// Capability of a process.
type Capability string

// Probe is a probe.
type Probe struct{}

type Undocumented struct {
	A string \`json:"a"\`
}
`;

const META =
  'package v1\n\n// TypeMeta of objects.\ntype TypeMeta struct {\n\t// The kind.\n\tKind string `json:"kind"`\n}\n';
const NAMES = "package types\n\n// UID is unique.\ntype UID string\n";

describe("readGoTypes", () => {
  it("reads comments of structs, fields, embedded structs, and named types as controller-gen does", () => {
    const types = readGoTypes([
      { place: "core/v1", importPath: "k8s.io/api/core/v1", sources: [CORE] },
      { place: "meta/v1", importPath: "k8s.io/apimachinery/pkg/apis/meta/v1", sources: [META] },
      { place: "pkg/types", importPath: "k8s.io/apimachinery/pkg/types", sources: [NAMES] },
    ]);
    expect(types).toEqual({
      "core/v1.Capability": { text: "Capability of a process." },
      "core/v1.Container": {
        text: "Container runs in a Pod.\n\nIt has an image.",
        fields: {
          kind: "The kind.",
          args: "Arguments:\n  - in order",
          policy: "PullPolicy of an image.",
          add: "The capabilities.",
          "add[]": "Capability of a process.",
          uid: "UID is unique.",
          image: "Text before dashes.",
        },
      },
      "core/v1.Probe": { text: "Probe is a probe." },
      "core/v1.PullPolicy": { text: "PullPolicy of an image." },
      "meta/v1.TypeMeta": { text: "TypeMeta of objects.", fields: { kind: "The kind." } },
      "pkg/types.UID": { text: "UID is unique." },
    });
  });
});
