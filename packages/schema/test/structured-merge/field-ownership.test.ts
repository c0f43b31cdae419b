import type { JSONValue } from "@kubescaffold/k8s";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { JsonObject } from "../../src/json/json-value.ts";
import {
  applyFields,
  changedFields,
  type ApplyOutcome,
  type FieldOwners,
} from "../../src/structured-merge/field-ownership.ts";
import { fieldSetOf, printFieldSet } from "../../src/structured-merge/field-set.ts";
import { SCHEMA } from "./schema.ts";

const OPTIONS = { schema: SCHEMA };
const NOBODY: FieldOwners = new Map();

function apply(
  manager: string,
  spec: JsonObject,
  { object = {}, owners = NOBODY, force = false }: { object?: JsonObject; owners?: FieldOwners; force?: boolean } = {},
): Extract<ApplyOutcome, { kind: "applied" }> {
  const outcome = applyFields({ live: object, applied: { spec }, owners, manager, force }, OPTIONS);
  if (outcome.kind === "conflict") throw new TypeError("unexpected conflict");
  return outcome;
}

function printed(owners: FieldOwners): JSONValue {
  return Object.fromEntries([...owners].map(([name, set]) => [name, printFieldSet(set)]));
}

describe("applying", () => {
  it("owns each scalar, each key of a map, each element with its fields, and what is atomic as a whole", () => {
    const { owners } = apply("one", {
      size: 1,
      labels: { a: "b" },
      ports: [{ name: "x", number: 1 }],
      names: ["n"],
      words: ["w"],
      whole: { a: "1" },
      free: { deep: { list: [1] } },
    });
    expect(printed(owners)).toEqual({
      one: {
        "f:spec": {
          "f:size": {},
          "f:labels": { "f:a": {} },
          "f:ports": { 'k:{"name":"x","protocol":"TCP"}': { ".": {}, "f:name": {}, "f:number": {} } },
          "f:names": { 'v:"n"': {} },
          "f:words": {},
          "f:whole": {},
          "f:free": { "f:deep": { ".": {}, "f:list": {} } },
        },
      },
    });
  });

  it("leaves null, and the ownership of the whole to another, when the last element of a list or map goes", () => {
    const theirs = { "f:spec": { "f:names": {}, "f:labels": {} } };
    const object = { spec: { names: [], labels: {} } };
    const owners = new Map([["two", fieldSetOf(theirs)]]);
    const first = apply("one", { size: 1, names: ["a"], labels: { a: "1" } }, { object, owners });
    const second = apply("one", { size: 1 }, first);
    expect(second.object).toEqual({ spec: { size: 1, names: null, labels: null } });
    expect(printed(second.owners)).toMatchObject({ two: theirs });
  });

  it("removes what the owner omits, and keeps what another owns too", () => {
    const first = apply("one", { size: 1, labels: { mine: "1", both: "1" }, names: ["a", "b"] });
    const second = apply("two", { labels: { both: "1" }, names: ["b"] }, first);
    const third = apply("one", { size: 1 }, second);
    expect(third.object).toEqual({ spec: { size: 1, labels: { both: "1" }, names: ["b"] } });
    expect(printed(third.owners)).toEqual({
      one: { "f:spec": { "f:size": {} } },
      two: { "f:spec": { "f:labels": { "f:both": {} }, "f:names": { 'v:"b"': {} } } },
    });
  });

  it("conflicts over another value, shares an equal one, and takes over by force", () => {
    const first = apply("one", { size: 1 });
    const input = { live: first.object, applied: { spec: { size: 2 } }, owners: first.owners, manager: "two" };
    const refused = applyFields({ ...input, force: false }, OPTIONS);
    expect(refused.kind === "conflict" && printed(refused.conflicts)).toEqual({ one: { "f:spec": { "f:size": {} } } });
    expect(printed(apply("two", { size: 1 }, first).owners)).toHaveProperty("one");
    expect(printed(apply("two", { size: 2 }, { ...first, force: true }).owners)).toEqual({
      two: { "f:spec": { "f:size": {} } },
    });
  });

  it("leaves fields alone that nobody owns", () => {
    const { object } = apply("one", { labels: { a: "1" } }, { object: { spec: { size: 3, labels: { z: "0" } } } });
    expect(object).toEqual({ spec: { size: 3, labels: { z: "0", a: "1" } } });
  });

  it("lets fields out that a filter keeps from being owned", () => {
    const filter = (): ReturnType<typeof fieldSetOf> => fieldSetOf({});
    const input = { live: {}, applied: { spec: { size: 1 } }, owners: NOBODY, manager: "one", force: false };
    const outcome = applyFields(input, { ...OPTIONS, filter });
    expect(outcome).toMatchObject({ kind: "applied", owners: new Map() });
  });
});

describe("any other change", () => {
  const changeOf = (before: JsonObject, after: JsonObject): object => {
    const { added, modified, removed } = changedFields(before, after, OPTIONS);
    return { added: printFieldSet(added), modified: printFieldSet(modified), removed: printFieldSet(removed) };
  };

  it("is reported by what was added, modified, and removed", () => {
    const before = { spec: { size: 1, labels: { a: "1", b: "1" } } };
    const after = { spec: { size: 2, labels: { a: "1" }, words: ["new"] } };
    expect(changeOf(before, after)).toEqual({
      added: { "f:spec": { "f:words": {} } },
      modified: { "f:spec": { "f:size": {} } },
      removed: { "f:spec": { "f:labels": { "f:b": {} } } },
    });
  });

  const PORT = 'k:{"name":"a","protocol":"TCP"}';

  it("has elements that are repeated in a list as a whole", () => {
    const port = { "f:spec": { "f:ports": { [PORT]: {} } } };
    const one = { spec: { ports: [{ name: "a", number: 1 }] } };
    const two = {
      spec: {
        ports: [
          { name: "a", number: 1 },
          { name: "a", number: 2 },
        ],
      },
    };
    const whole = { "f:spec": { "f:ports": { [PORT]: { ".": {}, "f:name": {}, "f:number": {} } } } };
    expect(changeOf(one, two)).toEqual({ added: port, modified: {}, removed: whole });
    expect(changeOf(two, one)).toEqual({ added: whole, modified: {}, removed: port });
    expect(changeOf(two, two)).toEqual({ added: {}, modified: {}, removed: {} });
    const other = { spec: { ports: [{ name: "a" }, { name: "a", number: 2 }] } };
    expect(changeOf(two, other)).toEqual({ added: {}, modified: port, removed: {} });
  });
});

const word = fc.constantFrom("a", "b", "c", "d");
// Nobody owns a list of keys or values that is empty, so it is not what an owner applied.
const specs: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      size: fc.integer({ min: 0, max: 3 }),
      labels: fc.dictionary(word, word),
      ports: fc.uniqueArray(
        fc.record({ name: word, number: fc.integer({ min: 0, max: 2 }) }, { requiredKeys: ["name"] }),
        { selector: ({ name }) => name, minLength: 1 },
      ),
      names: fc.uniqueArray(word, { minLength: 1 }),
      words: fc.array(word, { minLength: 1 }),
      whole: fc.record({ a: word, b: word }, { requiredKeys: [] }),
      free: fc.dictionary(word, fc.oneof(word, fc.dictionary(word, word))),
    },
    { requiredKeys: [] },
  )
  .map((spec) => JSON.parse(JSON.stringify(spec)) as JsonObject);

describe("any sequence of applies", () => {
  // The first one replaces null, which is left of an emptied map, by the empty map that is applied.
  it("gives each owner what it applied last, and applying that twice more changes nothing", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom("one", "two"), specs), { maxLength: 6 }), specs, (before, last) => {
        let state: { object: JsonObject; owners: FieldOwners } = { object: {}, owners: NOBODY };
        for (const [manager, spec] of before) state = apply(manager, spec, { ...state, force: true });
        const once = apply("one", last, { ...state, force: true });
        const again = apply("one", last, { ...once, force: true });
        expect(again.owners.get("one")).toEqual(once.owners.get("one"));
        expect(apply("one", last, again)).toEqual(again);
      }),
    );
  });

  it("leaves nothing of an owner who lets go of everything and was alone", () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const stated = apply("one", spec);
        const { object, owners } = apply("one", {}, stated);
        expect(object).toEqual({ spec: Object.keys(spec).length === 0 ? {} : null });
        expect([...owners.keys()]).toEqual(["one"]);
      }),
    );
  });
});
