import { describe, expect, it } from "vitest";

import { fieldsIn } from "../../src/descriptions/go-fields.ts";
import { readGoTypes } from "../../src/descriptions/read-go-types.ts";

const META = { place: "meta/v1", importPath: "k8s.io/apimachinery/pkg/apis/meta/v1" };
const TYPE_META = `package v1

type TypeMeta struct {
	// Meta's kind.
	Kind string \`json:"kind,omitempty"\`
	// Meta's version.
	APIVersion string \`json:"apiVersion,omitempty"\`
}

type List struct {
	TypeMeta \`json:""\`
	// List's items.
	Items []string \`json:"items"\`
}
`;

/** Returns the texts of the fields of T, where META is imported. */
function fieldsOfT(source: string): Readonly<Record<string, string>> | undefined {
  const sources = [`package v1\n\nimport (\n\tmetav1 "${META.importPath}"\n\t"time"\n)\n\n${source}`];
  const types = readGoTypes([
    { place: "core/v1", importPath: "k8s.io/api/core/v1", sources },
    { ...META, sources: [TYPE_META] },
  ]);
  return types["core/v1.T"]?.fields;
}

const INNER =
  'type Inner struct {\n\t// Inner\'s a.\n\tA string `json:"a"`\n\t// Inner\'s b.\n\tB string `json:"b"`\n}\n';

describe("fields of embedded types", () => {
  const INLINED = { kind: "Meta's kind.", apiVersion: "Meta's version." };

  it.each([
    ["inline", 'metav1.TypeMeta `json:",inline"`'],
    ["empty", 'metav1.TypeMeta `json:""`'],
    ["empty, with others", 'metav1.TypeMeta `json:"" protobuf:"bytes,1,opt,name=typeMeta"`'],
    ["after others", 'metav1.TypeMeta `protobuf:"bytes,1,opt,name=typeMeta" json:""`'],
    ["an option alone", 'metav1.TypeMeta `json:",omitempty"`'],
    ["none of json", 'metav1.TypeMeta `protobuf:"bytes,1,opt,name=typeMeta"`'],
    ["none", "metav1.TypeMeta"],
    ["none, before a comment", "metav1.TypeMeta // as all objects"],
    ["empty, of a pointer", '*metav1.TypeMeta `json:""`'],
  ])("are those of the struct with a tag that is %s", (_, field) => {
    expect(fieldsOfT(`type T struct {\n\t// Not its text.\n\t${field}\n}\n`)).toEqual(INLINED);
  });

  it("are in a field of the name that the tag has, even with inline", () => {
    const source = 'type T struct {\n\t// T\'s meta.\n\tmetav1.TypeMeta `json:"meta,inline"`\n}\n';
    expect(fieldsOfT(source)).toEqual({ meta: "T's meta." });
  });

  it("are of all levels, and of structs with another name", () => {
    const source = `type Alias = metav1.List\n\ntype Own Alias\n\ntype T struct {\n\tOwn \`json:""\`\n}\n`;
    expect(fieldsOfT(source)).toEqual({ ...INLINED, items: "List's items." });
  });

  it("are those of a struct that is made from another one", () => {
    expect(fieldsOfT("// T is a list.\ntype T metav1.List\n")).toEqual({ ...INLINED, items: "List's items." });
  });

  it("are one for an embedded type that is no struct", () => {
    const source = 'type Name string\n\ntype T struct {\n\t// T\'s name.\n\tName `json:""`\n}\n';
    expect(fieldsOfT(source)).toEqual({ Name: "T's name." });
  });

  it("are none for an embedded type of a package that is not read", () => {
    expect(fieldsOfT('type T struct {\n\t// T\'s time.\n\ttime.Time `json:""`\n}\n')).toBeUndefined();
  });

  it.each([
    ["before", 'Inner `json:""`\n\t// T\'s a.\n\tA string `json:"a"`'],
    ["after", '// T\'s a.\n\tA string `json:"a"`\n\tInner `json:""`'],
  ])("are hidden by a field of the struct that has the name, %s", (_, fields) => {
    expect(fieldsOfT(`${INNER}\ntype T struct {\n\t${fields}\n}\n`)).toEqual({ a: "T's a.", b: "Inner's b." });
  });

  it("are hidden by a field of the struct without a text", () => {
    const source = `${INNER}\ntype T struct {\n\tInner \`json:""\`\n\n\tA string \`json:"a"\`\n}\n`;
    expect(fieldsOfT(source)).toEqual({ b: "Inner's b." });
  });

  it("are none for a name that two embedded structs have", () => {
    const other = 'type Other struct {\n\t// Other\'s a.\n\tA string `json:"a"`\n}\n';
    const source = `${INNER}\n${other}\ntype T struct {\n\tInner \`json:""\`\n\tOther \`json:""\`\n}\n`;
    expect(fieldsOfT(source)).toEqual({ b: "Inner's b." });
  });

  it("are those with the name in a tag, of two embedded structs that have it", () => {
    const other = 'type Other struct {\n\t// Other\'s a.\n\tA string `json:"a"`\n}\n';
    const named = "type Named struct {\n\t// Named's a.\n\ta string\n\t// Named's A.\n\tA string `json:\"A\"`\n}\n";
    const plain = "type Plain struct {\n\t// Plain's A.\n\tA string\n}\n";
    const source = `${other}\n${named}\n${plain}\ntype T struct {\n\tOther\n\tPlain\n\tNamed\n}\n`;
    expect(fieldsOfT(source)).toEqual({ a: "Other's a.", A: "Named's A." });
  });

  it("are once those of a struct that embeds a pointer to itself", () => {
    expect(fieldsOfT('type T struct {\n\t*T `json:""`\n\t// T\'s a.\n\tA string `json:"a"`\n}\n')).toEqual({
      a: "T's a.",
    });
  });

  it("are none of types that are made from each other, which Go does not compile", () => {
    expect(fieldsOfT("type T U\n\ntype U T\n")).toBeUndefined();
  });
});

describe("fieldsIn", () => {
  it.each([
    ['\tName string `json:"name"`', ["name"]],
    ['\tName string `json:""`', ["Name"]],
    ['\tName string `json:",omitempty"`', ["Name"]],
    ['\tMeta metav1.TypeMeta `json:",inline"`', ["Meta"]],
    ['\tName string `protobuf:"bytes,1,opt,name=name"`', ["Name"]],
    ["\tName string", ["Name"]],
    ["\tName string // a comment", ["Name"]],
    ["\tFirst, Second string", ["First", "Second"]],
    ['\tName string `json:"-"`', []],
    ['\tName string `json:"-,"`', ["-"]],
    ['\tname string `json:"name"`', []],
    ['\tName string `x-json:"other" json:"name"`', ["name"]],
    ['\tValues map[string]interface{} `json:"values"`', ["values"]],
    ["\tFunc func(value string) error", ["Func"]],
    ["\tInner struct {", []],
    ["\t\tName string", []],
    ["}", []],
    ["", []],
  ])("finds in %j the names %j", (line, names) => {
    expect(fieldsIn(line).map(({ name }) => name)).toEqual(names);
  });
});
