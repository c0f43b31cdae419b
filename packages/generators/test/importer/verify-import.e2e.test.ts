import { structSchema } from "@kubescaffold/k8s/tables";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readCrds } from "../../src/importer/crd-facts.ts";
import { importCrds } from "../../src/importer/import-crds.ts";
import { verifyImport } from "../../src/importer/verify-import.ts";
import { crdOf, crdOfRoot, faultsOf, roundTrip, type Sample } from "./crd-sample.ts";

const CHARACTERS = fc.constantFrom(...Array.from("aZ09 .,;:=+-*/\\\"'`{}[]()@#|<>\n\t~_$&é😀"));
const WORDS = fc.string({ unit: CHARACTERS, maxLength: 24 });
const NAMES = fc.oneof(
  fc.constantFrom("name", "spec", "status", "items", "class", "constructor", "a-b", "a.b", "1st", "toString"),
  WORDS,
);
const VALUES = fc.oneof(WORDS, fc.integer(), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const DATA = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    VALUES,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(NAMES, tie("value"), { maxKeys: 3 }),
  ),
})).value;

const RULE = fc.record(
  {
    rule: fc.string({ unit: CHARACTERS, minLength: 1, maxLength: 30 }),
    message: WORDS,
    messageExpression: WORDS,
    reason: fc.constantFrom("FieldValueRequired", "FieldValueInvalid", "Other"),
    fieldPath: WORDS,
    optionalOldSelf: fc.boolean(),
  },
  { requiredKeys: ["rule"] },
);

const ANYWHERE = {
  description: WORDS,
  title: WORDS,
  nullable: fc.boolean(),
  default: DATA,
  example: DATA,
  pattern: WORDS,
  maxLength: fc.nat(),
  minimum: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  maxItems: fc.nat(),
  minProperties: fc.nat(),
  "x-kubernetes-validations": fc.array(RULE, { maxLength: 2 }),
  "x-kubernetes-list-type": fc.constantFrom("map", "set", "atomic"),
  "x-kubernetes-list-map-keys": fc.array(NAMES, { maxLength: 2 }),
  "x-kubernetes-map-type": fc.constantFrom("atomic", "granular"),
  "x-kubernetes-preserve-unknown-fields": fc.constant(true),
  not: fc.constant({ required: ["a"] }),
};

function schemaOf(fixed: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  const keywords = fc.record(ANYWHERE, { requiredKeys: [] });
  const few = fc
    .tuple(keywords, fc.subarray(Object.keys(ANYWHERE), { maxLength: 3 }))
    .map(([all, kept]) => Object.fromEntries(Object.entries(all).filter(([key]) => kept.includes(key))));
  return fc.tuple(few, fixed).map(([more, own]) => ({ ...more, ...own }));
}

const SCHEMA = fc.letrec<{ schema: Sample; object: Sample }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: "small", withCrossShrink: true },
    schemaOf(fc.constantFrom({ type: "string" }, { type: "boolean" }, { type: "integer" }, { type: "number" })),
    schemaOf(fc.constantFrom("int32", "int64", "int8").map((format) => ({ type: "integer", format }))),
    schemaOf(fc.constantFrom("date-time", "byte", "uuid").map((format) => ({ type: "string", format }))),
    schemaOf(fc.uniqueArray(WORDS, { minLength: 1 }).map((values) => ({ type: "string", enum: values }))),
    schemaOf(fc.uniqueArray(fc.integer(), { minLength: 1 }).map((values) => ({ type: "integer", enum: values }))),
    schemaOf(
      fc.constant({ anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true as const }),
    ),
    schemaOf(fc.constant({ "x-kubernetes-preserve-unknown-fields": true })),
    schemaOf(tie("schema").map((items) => ({ type: "array", items }))),
    schemaOf(tie("schema").map((values) => ({ type: "object", additionalProperties: values }))),
    tie("object"),
  ),
  object: schemaOf(
    fc
      .tuple(fc.dictionary(NAMES, tie("schema"), { maxKeys: 4 }), fc.array(fc.nat(3), { maxLength: 2 }))
      .map(([properties, required]) => ({
        type: "object",
        properties,
        required: required.flatMap((index) => Object.keys(properties).slice(index, index + 1)),
      })),
  ),
}));

describe("generating from imported types", () => {
  it("gives the schema back, whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(SCHEMA.object, { minLength: 1, maxLength: 3 }), async (specs) => {
        const manifests = specs.map(
          (spec, index) => JSON.parse(JSON.stringify(crdOf(spec)).replace('"Thing"', `"Thing${index}"`)) as unknown,
        );
        expect(faultsOf(await roundTrip(manifests))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it("gives the schema of a whole kind back, however little it has of one", async () => {
    const text = { type: "string" };
    const roots: readonly Sample[] = [
      { type: "object" },
      { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      { type: "object", properties: { spec: text } },
      {
        type: "object",
        properties: { metadata: { type: "object", properties: { name: { type: "string", maxLength: 5 } } } },
      },
      {
        type: "object",
        properties: { apiVersion: { ...text, description: "Old." }, kind: { ...text, enum: ["Thing"] } },
      },
      { type: "object", properties: { metadata: { type: "object" }, spec: text }, required: ["spec", "metadata"] },
      { type: "object", properties: { spec: text }, required: ["metadata", "apiVersion", "kind"] },
      {
        type: "object",
        properties: { data: { type: "array", items: text }, kind: text },
        oneOf: [{ required: ["data"] }],
      },
      { description: "No type.\n+optional", properties: { a: text } },
    ];
    for (const root of roots) expect(faultsOf(await roundTrip([crdOfRoot(root)]))).toEqual([]);
  });

  it("names what differs, and errors in the sources", async () => {
    const crds = readCrds([crdOf({ type: "object", properties: { a: { type: "string" } } })], "test");
    const { files } = importCrds({ crds, folderOf: () => "v1", structSchema });
    const changed = files.map((file) => ({
      ...file,
      content: file.content
        .replace("a?: string", "a?: boolean")
        .replace("+kubebuilder:object:root=true", "+kubebuilder:resource:scope=Cluster"),
    }));
    const { verdicts } = await verifyImport(crds, changed);
    expect(verdicts).toEqual([
      {
        group: "example.com",
        kind: "Thing",
        version: "v1",
        facts: ["scope"],
        differences: [{ path: "spec.a", keyword: "type", wanted: "string", found: "boolean" }],
      },
    ]);
    const broken = files.map((file) => ({ ...file, content: file.content.replace("a?: string", "a?: Date") }));
    expect((await verifyImport(crds, broken)).problems).toEqual([
      expect.stringMatching(/^v1\/thing_types\.ts:\d+: the type Date has no schema$/u),
    ]);
  });

  it("may leave texts out of the comparison", async () => {
    const crds = readCrds(
      [crdOf({ type: "object", properties: { a: { type: "string", description: "Text." } } })],
      "test",
    );
    const { files } = importCrds({ crds, folderOf: () => "v1", structSchema });
    const changed = files.map((file) => ({ ...file, content: file.content.replace("/** Text. */", "") }));
    expect(faultsOf(await verifyImport(crds, changed))).toHaveLength(1);
    expect(faultsOf(await verifyImport(crds, changed, true))).toEqual([]);
  });
});
