import { JsonDepthError, type JSONValue } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import * as schemaPackage from "../../src/index.ts";
import type { JsonObject } from "../../src/json/json-value.ts";
import type { JsonSchema } from "../../src/model/json-schema.ts";
import { HOSTILE_VALUES, parsed, resolve, schemasOf } from "./values.ts";

/** Two objects that differ at one place, and a schema of them. */
interface Input {
  readonly object: JsonObject;
  readonly same: JsonObject;
  readonly other: JsonObject;
  readonly schema: JsonSchema;
}

type Check = (input: Input) => void | Promise<void>;

const {
  applyDefaults,
  applyFields,
  applyInVersions,
  applyJsonMergePatch,
  applyJsonPatch,
  applyStrategicMergePatch,
  atomicFields,
  changedFields,
  createJsonMergePatch,
  createJsonPatch,
  createStrategicMergePatch,
  createThreeWayJsonMergePatch,
  deepEqual,
  extractApplied,
  fieldSetOf,
  fieldsWithout,
  mergeValues,
  pathsOf,
  printFieldSet,
  prune,
  reconciledFields,
  typedError,
  unionOf,
  unionOfAll,
  validate,
  withoutBelow,
} = schemaPackage;

/** The fields of an object that is applied. */
function fieldsOf({ object, schema }: Input): schemaPackage.FieldSet {
  const outcome = applyFields(
    { live: {}, applied: object, owners: new Map(), manager: "one", force: true },
    { schema, resolve },
  );
  return outcome.kind === "applied" ? (outcome.owners.get("one") ?? new Map()) : new Map();
}

function same(left: unknown, right: unknown): void {
  // A comparison by the matcher would recurse.
  expect(deepEqual(left, right)).toBe(true);
}

/** What each function that walks values does with them. */
const WALKERS: Readonly<Record<string, Check>> = {
  applyDefaults: ({ object, schema }) => {
    applyDefaults(schema, object, { resolve });
    applyDefaults(schema, object, { resolve, keepsNulls: true });
  },
  applyFields: ({ object, other, schema }) => {
    const options = { schema, resolve };
    const first = applyFields({ live: {}, applied: object, owners: new Map(), manager: "one", force: false }, options);
    if (first.kind === "conflict") throw new Error("unexpected conflict");
    same(first.object, object);
    const input = { live: first.object, owners: first.owners, manager: "one", force: false };
    const second = applyFields({ ...input, applied: other }, options);
    same(second.kind === "applied" && second.object, other);
    const third = applyFields({ ...input, applied: {} }, options);
    expect(third.kind === "applied" && third.owners.size).toBe(0);
    expect(applyFields({ ...input, manager: "two", applied: other }, options).kind).toBe("conflict");
  },
  applyInVersions: async ({ object, other, schema }) => {
    const owners = new Map([["two", { version: "v2", fields: fieldsOf({ object, same: object, other, schema }) }]]);
    const convert = async (versioned: { readonly object: JsonObject }): Promise<JsonObject> => versioned.object;
    const versions = { convert, optionsOf: () => ({ schema, resolve }) };
    const input = { live: object, applied: other, version: "v1", owners, manager: "one", force: true };
    const outcome = await applyInVersions(input, versions);
    same(outcome.kind === "applied" && outcome.object, other);
  },
  applyJsonMergePatch: ({ object, other }) => {
    applyJsonMergePatch(object, other);
    same(applyJsonMergePatch(object, {}), object);
  },
  applyJsonPatch: ({ object, other }) => {
    const value = other["value"] as JSONValue;
    unlessTooDeep(() => same(applyJsonPatch(object, [{ op: "replace", path: "/value", value }]), other));
    const patch = [
      { op: "test", path: "/value", value: object["value"] as JSONValue },
      { op: "copy", from: "/value", path: "/copied" },
      { op: "move", from: "/value", path: "/moved" },
    ];
    unlessTooDeep(() => applyJsonPatch(object, patch));
  },
  applyStrategicMergePatch: ({ object, other, schema }) => {
    for (const patch of [other, { $setElementOrder: 1 }, { value: null }]) {
      unlessOfWrongType(() => applyStrategicMergePatch(object, patch, { schema, resolve }));
      unlessOfWrongType(() => applyStrategicMergePatch({}, patch, { schema, resolve }));
    }
  },
  atomicFields: ({ object, schema }) => void atomicFields(object, schema, { resolve }),
  changedFields: ({ object, same: copy, other, schema }) => {
    const { added, modified, removed } = changedFields(object, other, { schema, resolve });
    expect(added.size + modified.size + removed.size).toBeGreaterThan(0);
    const nothing = changedFields(object, copy, { schema, resolve });
    expect(nothing.added.size + nothing.modified.size + nothing.removed.size).toBe(0);
    changedFields({}, object, { schema, resolve });
    changedFields(object, {}, { schema, resolve });
  },
  createJsonMergePatch: ({ object, same: copy, other }) => {
    expect(createJsonMergePatch(object, copy)).toEqual({});
    createJsonMergePatch(object, other);
  },
  createJsonPatch: ({ object, same: copy, other }) => {
    expect(createJsonPatch(object, copy)).toEqual([]);
    expect(createJsonPatch(object, other).length).toBeGreaterThan(0);
  },
  createStrategicMergePatch: ({ object, same: copy, other, schema }) => {
    unlessOfWrongType(() => expect(createStrategicMergePatch(object, copy, { schema, resolve })).toEqual({}));
    unlessOfWrongType(() => createStrategicMergePatch(object, other, { schema, resolve }));
  },
  createThreeWayJsonMergePatch: ({ object, same: copy, other }) => {
    createThreeWayJsonMergePatch(object, other, copy);
  },
  deepEqual: ({ object, same: copy, other }) => {
    expect(deepEqual(object, copy)).toBe(true);
    expect(deepEqual(object, other)).toBe(false);
  },
  extractApplied: (input) => {
    const fieldsV1 = printFieldSet(fieldsOf(input));
    const entry = { manager: "one", operation: "Apply" as const, apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1 };
    const metadata = { name: "a", managedFields: [entry, { ...entry, manager: "two" }] };
    const extracted = extractApplied({ apiVersion: "v1", kind: "A", metadata, ...input.object }, "one");
    expect(Object.keys(extracted)).toContain("metadata");
  },
  fieldSetOf: (input) => {
    const set = fieldsOf(input);
    const read = fieldSetOf(printFieldSet(set));
    expect(fieldsWithout(read, set).size + fieldsWithout(set, read).size).toBe(0);
  },
  fieldsWithout: (input) => expect(fieldsWithout(fieldsOf(input), fieldsOf(input)).size).toBe(0),
  mergeValues: ({ object, other, schema }) => same(mergeValues(object, other, { schema, resolve }), other),
  pathsOf: (input) => {
    const innermost = withoutAncestors(fieldsOf(input));
    expect(pathsOf(innermost).length).toBeGreaterThan(0);
  },
  printFieldSet: (input) => void printFieldSet(fieldsOf(input)),
  prune: ({ object, schema }) => {
    const closed = { ...schema, properties: {} };
    expect(prune(closed, object, { resolve }).unknownFields).toEqual(["value"]);
    prune(schema, object, { resolve });
  },
  reconciledFields: (input) => void reconciledFields(fieldsOf(input), { schema: input.schema, resolve }),
  runDeep: ({ object }) => {
    const count = (value: unknown, calls: schemaPackage.DeepCalls<unknown, number>): number =>
      typeof value === "object" && value !== null
        ? Object.values(value).reduce<number>((sum, part) => sum + calls.call(part), 1)
        : 1;
    expect(schemaPackage.runDeep<unknown, number>(object, { run: count, placeholder: 0 })).toBeGreaterThan(1);
  },
  typedError: ({ object, other, schema }) => {
    typedError(object, schema, { resolve });
    const text = { type: "object", properties: { value: { type: "string" } } } as const;
    const isText = typeof other["value"] === "string";
    expect(typedError(object, text, { resolve }) === undefined).toBe(isText);
  },
  unfold: ({ object }) => {
    const copy = schemaPackage.unfold<JSONValue>(object, (value) => {
      if (schemaPackage.isJsonList(value)) return { kind: "list", items: value };
      if (!schemaPackage.isJsonObject(value)) return { kind: "value", value };
      return { kind: "object", members: Object.entries(value), isOptional: false };
    });
    same(copy, object);
  },
  unionOf: (input) => {
    const set = fieldsOf(input);
    expect(fieldsWithout(unionOf(set, fieldsOf({ ...input, object: input.other })), set).size).toBeGreaterThanOrEqual(
      0,
    );
  },
  unionOfAll: (input) => {
    const sets = [fieldsOf(input), fieldsOf({ ...input, object: input.other })];
    for (const set of sets) expect(fieldsWithout(set, unionOfAll(sets)).size).toBe(0);
  },
  unknownJsonPatchFields: ({ object }) => void schemaPackage.unknownJsonPatchFields([object]),
  validate: ({ object, schema }) => void validate(schema, object, { resolve }),
  withoutBelow: (input) => expect(withoutBelow(fieldsOf(input), fieldsOf(input)).size).toBeGreaterThanOrEqual(0),
  coerceObjectMeta: ({ object }) => void schemaPackage.coerceObjectMeta(object),
  objectMetaTypeProblem: ({ object }) => void schemaPackage.objectMetaTypeProblem(object),
  unknownObjectMetaFields: ({ object }) => void schemaPackage.unknownObjectMetaFields(object),
};

/** The other functions, and why levels and lengths of values mean nothing to them. */
const NOT_ABOUT_VALUES: Readonly<Record<string, string>> = {
  additionalSchemaOf: "returns a member",
  checkStructural: "walks a schema, whose levels are those that a developer wrote",
  compilePattern: "takes a text",
  containsRules: "walks a schema",
  defineSchema: "wraps a schema",
  followSelectablePath: "follows a path",
  formatPointer: "takes a path",
  isJsonList: "looks at one value",
  isJsonObject: "looks at one value",
  isFormatOfType: "takes a name",
  isKnownFormat: "takes a name",
  isMetadataPath: "takes a path",
  isScalePath: "takes a path",
  isSelectableType: "takes a name",
  itemsOf: "returns a member",
  parseJsonPath: "takes a path",
  parsePointer: "takes a path",
  pathSegmentErrors: "takes a name",
  propertyOf: "returns a member",
  requestUrlHost: "takes a text",
  resolveSchema: "returns a member",
  unknownFieldMessage: "takes a path",
  validateChangedMeta: "takes metadata that are decoded, of a few levels",
  validateObjectMeta: "takes metadata that are decoded, of a few levels",
  rulesAreSkipped: "reads the types of errors",
  withRuleErrors: "joins errors",
};

// Errors are classes.
const FUNCTIONS = Object.entries(schemaPackage)
  .filter(([, member]) => typeof member === "function" && !/^class\b/u.test(Function.prototype.toString.call(member)))
  .map(([name]) => name);

it("each function is known to walk values, or not to", () => {
  expect(FUNCTIONS.toSorted()).toEqual([...Object.keys(WALKERS), ...Object.keys(NOT_ABOUT_VALUES)].toSorted());
});

describe.each(Object.entries(HOSTILE_VALUES))("of %s", (_, textOf) => {
  const [left, right] = ["1", "2"].map((leaf) => `{"value":${textOf(leaf)}}`) as [string, string];

  it.each(Object.entries(WALKERS))("%s takes an object", async (_name, check) => {
    const object = parsed(left) as JsonObject;
    for (const schema of schemasOf(object["value"] as JSONValue)) {
      const input = { object, same: parsed(left) as JsonObject, other: parsed(right) as JsonObject, schema };
      await check(input);
      // The checked function has not changed its input.
      expect(deepEqual(input.object, input.same)).toBe(true);
    }
  });
});

/** Returns the paths that have no other one below them. */
function withoutAncestors(set: schemaPackage.FieldSet): schemaPackage.FieldSet {
  let inner: schemaPackage.FieldNode = { isMember: true, children: new Map() };
  const elements: string[] = [];
  for (let [next] = set; next !== undefined; [next] = next[1].children) elements.push(next[0]);
  for (const element of elements.toReversed()) inner = { isMember: false, children: new Map([[element, inner]]) };
  return inner.children;
}

// The result of a JSON patch has the levels of a body at most.
function unlessTooDeep(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof JsonDepthError)) throw error;
  }
}

// A strategic merge patch must fit the type, which a schema without fields has none of.
function unlessOfWrongType(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof schemaPackage.PatchTypeError || error instanceof schemaPackage.PatchNotApplicableError))
      throw error;
  }
}
