import type { Schema } from "@kubescaffold/generators/importer";
import { describe, expect, it } from "vitest";

import { readCrds } from "../../../packages/generators/src/importer/crd-facts.ts";
import { type Example, exampleObject, withExample } from "../../../src/go-project/examples/example-object.ts";

function exampleIn(openAPIV3Schema: Schema, ...samples: readonly unknown[]): Example {
  const [crd] = readCrds(
    [
      {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        spec: { group: "g", names: { kind: "Boat" }, versions: [{ name: "v1", schema: { openAPIV3Schema } }] },
      },
    ],
    "test",
  );
  if (crd === undefined) throw new Error("no CRD");
  return exampleObject(crd, "v1", samples);
}

function specExample(spec: Schema, ...samples: readonly unknown[]): Example {
  return exampleIn({ type: "object", properties: { spec } }, ...samples);
}

const object = (properties: Schema, more: Schema = {}): Schema => ({ type: "object", properties, ...more });
const required = (properties: Schema, more: Schema = {}): Schema =>
  object(properties, { required: Object.keys(properties), ...more });
const rules = (...texts: readonly string[]): Schema => ({
  "x-kubernetes-validations": texts.map((rule) => ({ rule })),
});
const text = { type: "string" };
const integer = { type: "integer" };

describe("exampleObject", () => {
  it("gives what the schema requires, as small as it may be", () => {
    const properties = {
      size: { type: "integer", minimum: 2 },
      above: { type: "integer", minimum: 2, exclusiveMinimum: true },
      mode: { type: "string", enum: ["fast"] },
      name: { type: "string", minLength: 2 },
      on: { type: "boolean" },
      crew: { type: "array", minItems: 1, items: required({ id: text }) },
      "at-sea": { type: "string", default: "yes" },
      port: { "x-kubernetes-int-or-string": true },
    };
    expect(specExample(required(properties)).members).toBe(
      'spec: { above: 3, "at-sea": "yes", crew: [{ id: "" }], mode: "fast", name: "xx", on: false, port: 0, size: 2 }',
    );
  });

  it("identifies objects in objects, which servers require", () => {
    const embedded = { type: "object", "x-kubernetes-embedded-resource": true };
    const open = { ...embedded, "x-kubernetes-preserve-unknown-fields": true };
    expect(specExample(required({ resource: open }))).toEqual({
      name: undefined,
      members: 'spec: { resource: { apiVersion: "v1", kind: "ConfigMap" } }',
      problem: undefined,
    });
    const kind = { ...text, enum: ["Pod"] };
    const pod = { ...embedded, ...required({ kind, apiVersion: text }) };
    expect(specExample(required({ list: { type: "array", minItems: 1, items: pod } }))).toMatchObject({
      members: 'spec: { list: [{ apiVersion: "v1", kind: "Pod" }] }',
      problem: undefined,
    });
  });

  it("names an error without details by its type", () => {
    const { problem } = specExample(object({}, { required: ["pruned"] }));
    expect(problem).toBe("spec.pruned: Required value");
  });

  it("casts what has fields that the schema preserves, and types do not have", () => {
    const open = { "x-kubernetes-preserve-unknown-fields": true };
    const spec = object({ size: integer }, { ...open, required: ["size", "podSpec"] });
    expect(specExample(spec).members).toBe("spec: { podSpec: {}, size: 0 } as never");
    const nested = object({ crew: { type: "array", items: object({ id: text }, open) } });
    expect(specExample(nested, { spec: { crew: [{ id: "a" }, { rank: 1 }] } }).members).toMatch(/ as never$/u);
    const free = object({ any: { type: "object", ...open }, map: { type: "object", additionalProperties: text } });
    expect(specExample(free, { spec: { any: { a: 1 }, map: { b: "c" } } }).members).not.toContain("as never");
  });

  // What servers refuse of the smallest value that has the right types.
  it.each<[string, Schema]>([
    ["a pattern of a name", required({ a: { ...text, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" } })],
    ["a pattern with alternatives", required({ a: { ...text, pattern: "^(https?|tcp)://[^/]+(/.*)?$" } })],
    ["a pattern with repetitions", required({ a: { ...text, pattern: "^v\\d{1,3}(\\.\\d+){2}(?:-[[:alnum:]]+)?$" } })],
    ["a pattern of quantities", required({ a: { ...text, pattern: "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$" } })],
    ["a pattern with a length", required({ a: { ...text, pattern: "^[a-f]+$", minLength: 12 } })],
    ["a format", required({ a: { ...text, format: "date-time" } })],
    ["a multiple", required({ a: { ...integer, minimum: 5, multipleOf: 4 } })],
    ["a maximum below zero", required({ a: { ...integer, maximum: -3 } })],
    [
      "items that differ",
      required({ a: { type: "array", minItems: 2, items: text, "x-kubernetes-list-type": "set" } }),
    ],
    [
      "items that differ by a key",
      required({
        a: {
          type: "array",
          minItems: 3,
          items: required({ id: { ...text, pattern: "^[a-z]+[0-9]?$" } }),
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["id"],
        },
      }),
    ],
    ["a number of members", required({ a: { type: "object", minProperties: 2, additionalProperties: text } })],
    ["a rule for exactly one", object({ a: text, b: integer }, rules("has(self.a) != has(self.b)"))],
    ["a rule for one of several", object({ a: object({}), b: object({}) }, rules("has(self.a) || has(self.b)"))],
    ["a rule with a literal", required({ a: { ...text, ...rules("self.startsWith('oci://')") } })],
    ["a rule with a number", required({ a: { ...integer, ...rules("self > 41 && self % 2 == 0") } })],
    ["a rule about two members", required({ least: integer, most: integer }, rules("self.least < self.most"))],
    ["a rule below an object", required({ a: required({ b: { ...text, ...rules("self == 'on'") } }) })],
    [
      "a rule in items",
      required({ a: { type: "array", minItems: 1, items: object({ c: text, d: text }, rules("has(self.d)")) } }),
    ],
    [
      "alternatives of required members",
      object({ a: text, b: text }, { oneOf: [{ required: ["a"] }, { required: ["b"] }] }),
    ],
    ["a rule that a default breaks", required({ a: { ...integer, default: 0, ...rules("self > 0") } })],
    [
      "two rules at two places",
      required({ a: { ...integer, ...rules("self == 7") }, b: { ...text, ...rules("size(self) > 3") } }),
    ],
  ])("meets %s", (_, spec) => {
    expect(specExample(spec)).toMatchObject({ problem: undefined });
  });

  it.each<[string, Schema]>([
    ["items", { type: "array", items: text, minItems: 2 ** 31 }],
    [
      "lists of lists of lists",
      ["", "", "", "", ""].reduce<Schema>((items) => ({ type: "array", items, minItems: 1000 }), text),
    ],
    ["members", { type: "object", additionalProperties: text, minProperties: 2 ** 31 }],
    ["characters", { type: "string", minLength: 2 ** 31 }],
    ["repetitions", { type: "string", pattern: "^(a{1000}){2000000000}$" }],
  ])("finds none for a kind that asks for billions of %s", (_, huge) => {
    expect(specExample(required({ huge })).problem).toContain("spec.huge");
  });

  it("takes members beside the spec", () => {
    const schema = required({
      data: { type: "object", additionalProperties: text },
      template: required({ size: integer }),
    });
    expect(exampleIn(schema).members).toBe("data: {  }, template: { size: 0 }".replace("{  }", "{}"));
  });

  it("takes the name that a rule demands", () => {
    const schema = { ...object({ spec: object({}) }), ...rules("self.metadata.name == 'cluster'") };
    expect(exampleIn(schema)).toMatchObject({ name: "cluster", problem: undefined });
  });

  it("takes the name that the schema lists, also for a sample", () => {
    const metadata = object({ name: { ...text, enum: ["hierarchy"] } });
    const schema = object({ metadata, spec: object({}) });
    expect(exampleIn(schema)).toMatchObject({ name: "hierarchy", problem: undefined });
    const sized = object({ metadata, spec: object({ size: integer }) });
    expect(exampleIn(sized, { metadata: { name: "other" }, spec: { size: 7 } })).toEqual({
      name: "hierarchy",
      members: "spec: { size: 7 }",
      problem: undefined,
    });
  });

  it("prints why it found none", () => {
    const spec = required({ a: { ...integer, ...rules("self > 3 && self < 2") } });
    expect(specExample(spec).problem).toContain("spec.a");
  });

  describe("with samples", () => {
    const spec = required({ size: integer, mode: { ...text, default: "fast" } });

    it("takes the first valid one, with its defaults and without fields that are pruned", () => {
      const samples = [{ spec: { size: null } }, { spec: { size: 7, colour: "red" } }, { spec: { size: 8 } }];
      expect(specExample(spec, ...samples).members).toBe('spec: { size: 7, mode: "fast" }');
    });

    it("takes none that a rule refuses", () => {
      const ruled = required({ size: { ...integer, ...rules("self > 10") } });
      expect(specExample(ruled, { spec: { size: 7 } }, { spec: { size: 12 } }).members).toBe("spec: { size: 12 }");
    });

    it("makes one where all are placeholders", () => {
      expect(specExample(spec, { spec: null }, { spec: {} }, "text").members).toBe('spec: { mode: "fast", size: 0 }');
    });
  });

  it("gives nothing for a kind without fields", () => {
    expect(exampleIn({ type: "object" })).toEqual({ name: undefined, members: "", problem: undefined });
  });
});

describe("withExample", () => {
  const TEST =
    'describe("Boat", () => {\n  const key = { name: "boat-sample" };\n  create({ metadata: key, spec: {} });\n});\n';

  it.each<[string, Example, string]>([
    [
      "members",
      { name: undefined, members: "spec: { a: 1 }", problem: undefined },
      "create({ metadata: key, spec: { a: 1 } })",
    ],
    ["no members", { name: undefined, members: "", problem: undefined }, "create({ metadata: key })"],
    ["a name", { name: "cluster", members: "", problem: undefined }, 'const key = { name: "cluster" }'],
  ])("puts %s into a test", (_, example, expected) => {
    expect(withExample(TEST, example)).toContain(expected);
  });

  it("skips tests without a valid object, and says why in one line", () => {
    const filled = withExample(TEST, { name: undefined, members: "spec: {}", problem: "spec.a: no\nboat" });
    expect(filled).toContain("// spec.a: no boat\ndescribe.skip(");
    expect(filled).toContain("create({ metadata: key, spec: {} } as never)");
  });
});
