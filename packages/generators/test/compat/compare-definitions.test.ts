import type { JsonSchema } from "@kubescaffold/schema";
import { describe, expect, it } from "vitest";

import { COMPAT_CODES } from "../../src/checks/compat-codes.ts";
import { compareDefinitions } from "../../src/compat/compare-definitions.ts";
import type { Definition, DefinitionVersion } from "../../src/compat/definition.ts";
import { COMPAT_CASES } from "./compat-cases.ts";

describe("a change of a schema", () => {
  it.each(COMPAT_CASES)("$name", ({ former, current, expected }) => {
    const found = compareDefinitions(definition([version("v1", former)]), definition([version("v1", current)]));
    expect(found.map((each) => each.code)).toEqual(expected.map(([code]) => code));
    for (const [index, [, about]] of expected.entries())
      expect(`${found[index]?.message ?? ""} ${found[index]?.hint ?? ""}`).toContain(about);
    expect(found.every((each) => each.hint !== "" && each.version === "v1")).toBe(true);
  });

  it("is shown for each code by at least one case", () => {
    const shown = new Set([...COMPAT_CASES, ...WHOLE_CASES].flatMap((each) => each.expected.map(([code]) => code)));
    // This one is about a whole set of definitions.
    const codes = COMPAT_CODES.map((each) => each.code).filter((code) => code !== "COMPAT_CRD_REMOVED");
    expect(codes.filter((code) => !shown.has(code))).toEqual([]);
  });
});

const X = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } };
const LESS = { type: "object", properties: { a: { type: "string" } } };
const V1 = version("v1", X);
const OLD = version("v1alpha1", X, { storage: false });

interface WholeCase {
  readonly name: string;
  readonly former: Definition;
  readonly current: Definition;
  readonly expected: readonly (readonly [code: string, about: string])[];
}

const WHOLE_CASES: readonly WholeCase[] = [
  {
    name: "scope",
    former: definition([V1]),
    current: definition([V1], { scope: "Cluster" }),
    expected: [["COMPAT_SCOPE_CHANGED", "Cluster"]],
  },
  {
    name: "kind",
    former: definition([V1]),
    current: definition([V1], { names: { kind: "Gadget", plural: "widgets" } }),
    expected: [["COMPAT_NAMES_CHANGED", "Gadget"]],
  },
  {
    name: "short name",
    former: definition([V1], { names: { kind: "Widget", plural: "widgets", shortNames: ["w", "wi"] } }),
    current: definition([V1], { names: { kind: "Widget", plural: "widgets", shortNames: ["w"] } }),
    expected: [["COMPAT_NAMES_CHANGED", "wi"]],
  },
  {
    name: "short name that is still the singular",
    former: definition([V1], {
      names: { kind: "Widget", plural: "widgets", singular: "widget", shortNames: ["widget", "w"] },
    }),
    current: definition([V1], { names: { kind: "Widget", plural: "widgets", singular: "widget", shortNames: ["w"] } }),
    expected: [],
  },
  {
    name: "short name that is still the derived singular",
    former: definition([V1], { names: { kind: "Widget", plural: "widgets", shortNames: ["widget"] } }),
    current: definition([V1], { names: { kind: "Widget", plural: "widgets" } }),
    expected: [],
  },
  {
    name: "singular that is now a short name",
    former: definition([V1], { names: { kind: "Widget", plural: "widgets", singular: "wid" } }),
    current: definition([V1], {
      names: { kind: "Widget", plural: "widgets", singular: "widget", shortNames: ["wid"] },
    }),
    expected: [],
  },
  {
    name: "singular",
    former: definition([V1], { names: { kind: "Widget", plural: "widgets", singular: "wid" } }),
    current: definition([V1], { names: { kind: "Widget", plural: "widgets", singular: "widget" } }),
    expected: [["COMPAT_NAMES_CHANGED", "wid"]],
  },
  {
    name: "served version removed",
    former: definition([V1, OLD]),
    current: definition([V1]),
    expected: [["COMPAT_VERSION_REMOVED", "v1alpha1"]],
  },
  {
    name: "version that was not served removed",
    former: definition([V1, { ...OLD, served: false }]),
    current: definition([V1]),
    expected: [],
  },
  { name: "version added", former: definition([V1]), current: definition([V1, OLD]), expected: [] },
  {
    name: "version not served any more",
    former: definition([V1, OLD]),
    current: definition([V1, { ...OLD, served: false }]),
    expected: [["COMPAT_VERSION_UNSERVED", "v1alpha1"]],
  },
  {
    name: "storage version removed",
    former: definition([V1]),
    current: definition([version("v2", X)]),
    expected: [["COMPAT_STORAGE_REMOVED", "v1"]],
  },
  {
    name: "version removed in which a cluster stores objects",
    former: { ...definition([V1, { ...OLD, served: false }]), status: { storedVersions: ["v1alpha1", "v1"] } },
    current: definition([V1]),
    expected: [["COMPAT_STORED_REMOVED", "status.storedVersions of"]],
  },
  {
    name: "served version removed in which a cluster stores objects",
    former: { ...definition([V1, OLD]), status: { storedVersions: ["v1alpha1", "v1"] } },
    current: definition([V1]),
    expected: [["COMPAT_STORED_REMOVED", "status.storedVersions of"]],
  },
  {
    name: "storage version of a cluster removed",
    former: { ...definition([V1]), status: { storedVersions: ["v1"] } },
    current: definition([version("v2", X)]),
    expected: [["COMPAT_STORAGE_REMOVED", "v1"]],
  },
  {
    name: "version removed that a cluster does not store",
    former: { ...definition([V1, { ...OLD, served: false }]), status: { storedVersions: ["v1"] } },
    current: definition([V1]),
    expected: [],
  },
  {
    name: "storage version changed, alike",
    former: definition([V1]),
    current: definition([{ ...V1, storage: false }, version("v2", X)]),
    expected: [],
  },
  {
    name: "storage version changed to one with less",
    former: definition([V1]),
    current: definition([{ ...V1, storage: false }, version("v2", LESS)]),
    expected: [["COMPAT_STORAGE_CHANGED", "spec.x.b"]],
  },
  {
    name: "a field removed from an old version only",
    former: definition([V1, OLD]),
    current: definition([V1, version("v1alpha1", LESS, { storage: false })]),
    expected: [["COMPAT_FIELD_REMOVED", "spec.x.b"]],
  },
  {
    name: "subresources removed",
    former: definition([version("v1", X, { subresources: { status: {}, scale: {} } })]),
    current: definition([V1]),
    expected: [
      ["COMPAT_SUBRESOURCE_REMOVED", "status"],
      ["COMPAT_SUBRESOURCE_REMOVED", "scale"],
    ],
  },
  {
    name: "status becomes a subresource",
    former: definition([V1]),
    current: definition([version("v1", X, { subresources: { status: {} } })]),
    expected: [["COMPAT_SUBRESOURCE_ADDED", "status"]],
  },
  {
    name: "selectable field removed",
    former: definition([version("v1", X, { selectableFields: [{ jsonPath: ".spec.x.a" }] })]),
    current: definition([V1]),
    expected: [["COMPAT_SELECTABLE_REMOVED", ".spec.x.a"]],
  },
  {
    name: "column removed",
    former: definition([version("v1", X, { additionalPrinterColumns: [{ name: "A" }, { name: "B" }] })]),
    current: definition([version("v1", X, { additionalPrinterColumns: [{ name: "B" }] })]),
    expected: [["COMPAT_COLUMN_REMOVED", "A"]],
  },
  {
    name: "unknown fields of the whole kind pruned",
    former: definition([V1], { preserveUnknownFields: true }),
    current: definition([V1]),
    expected: [["COMPAT_PRUNING", "preserveUnknownFields"]],
  },
];

describe("a change of a definition", () => {
  it.each(WHOLE_CASES)("$name", ({ former, current, expected }) => {
    const found = compareDefinitions(former, current);
    expect(found.map((each) => each.code)).toEqual(expected.map(([code]) => code));
    for (const [index, [, about]] of expected.entries()) expect(found[index]?.message).toContain(about);
  });
});

function definition(versions: readonly DefinitionVersion[], rest: Partial<Definition["spec"]> = {}): Definition {
  const names = { kind: "Widget", plural: "widgets", singular: "widget", listKind: "WidgetList" };
  const spec = { group: "compat.example.com", scope: "Namespaced", names, versions, ...rest };
  return { metadata: { name: "widgets.compat.example.com" }, spec: { ...spec, names: { ...names, ...spec.names } } };
}

function version(name: string, x: unknown, rest: Partial<DefinitionVersion> = {}): DefinitionVersion {
  const spec = { type: "object", properties: { x: x as JsonSchema } };
  const openAPIV3Schema = { type: "object", properties: { spec, status: { type: "object" } } };
  return { name, served: true, storage: true, schema: { openAPIV3Schema }, ...rest };
}
