import { parseServerJson, type JSONValue } from "@kubescaffold/k8s";
import { describe, expect, it, vi } from "vitest";

import type { JsonObject } from "../../src/json/json-value.ts";
import type { JsonSchema } from "../../src/model/json-schema.ts";
import { createStrategicMergePatch } from "../../src/patch/strategic/create-strategic-merge-patch.ts";
import { applyInVersions, type MergeVersions } from "../../src/structured-merge/apply-in-versions.ts";
import { extractApplied } from "../../src/structured-merge/extract-applied.ts";
import {
  differenceOf,
  type FieldNode,
  type FieldSet,
  fieldSetOf,
  intersectionOf,
  unionOfAll,
} from "../../src/structured-merge/field-set.ts";

const COUNT = 2000;

/** Counts the reads of elements. */
class CountedSet extends Map<string, FieldNode> {
  static reads = 0;

  override get(element: string): FieldNode | undefined {
    CountedSet.reads += 1;
    return super.get(element);
  }
}

function chain(levels: number): FieldSet {
  let set = new CountedSet([["f:a", { isMember: true, children: new CountedSet() }]]);
  for (let level = 0; level < levels; level += 1) set = new CountedSet([["f:a", { isMember: false, children: set }]]);
  return set;
}

/** Counts how often the members of the objects of a value are listed or looked up. */
function counted(value: JSONValue, counts: { reads: number }): JSONValue {
  const count = (): void => {
    counts.reads += 1;
  };
  const handler: ProxyHandler<object> = {
    ownKeys: (target) => {
      count();
      return Reflect.ownKeys(target);
    },
    getOwnPropertyDescriptor: (target, name) => {
      count();
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  };
  return JSON.parse(JSON.stringify(value), (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part) ? new Proxy(part, handler) : part,
  ) as JSONValue;
}

describe("work grows with the input, not with its square", () => {
  it.each([
    ["differenceOf", differenceOf],
    ["intersectionOf", intersectionOf],
  ])("of %s, for sets of many levels", (_, combine) => {
    const [left, right] = [chain(COUNT), chain(COUNT)];
    CountedSet.reads = 0;
    combine(left, right);
    expect(CountedSet.reads).toBeLessThan(10 * COUNT);
  });

  it("of unionOfAll, for many sets of fields of one parent", () => {
    const sets = Array.from({ length: COUNT }, (_, index) => fieldSetOf({ "f:data": { [`f:k${String(index)}`]: {} } }));
    const added = vi.spyOn(Map.prototype, "set");
    const union = unionOfAll(sets);
    const { length } = added.mock.calls;
    added.mockRestore();
    expect(union.get("f:data")?.children.size).toBe(COUNT);
    expect(length).toBeLessThan(10 * COUNT);
  });

  it("of applyInVersions, for many owners of another version", async () => {
    const fields = (index: number): FieldSet => fieldSetOf({ "f:data": { [`f:k${String(index)}`]: {} } });
    const owners = Array.from(
      { length: COUNT },
      (_, index) => [`m${String(index)}`, fields(index)] as [string, FieldSet],
    );
    const named: JsonObject = { apiVersion: "v1", kind: "A", metadata: { name: "a" } };
    const data = Object.fromEntries(owners.map((_, index) => [`k${String(index)}`, "1"]));
    const convert = vi.fn<MergeVersions["convert"]>((object) => Promise.resolve(object.object));
    const input = {
      live: { ...named, data },
      applied: { ...named, data: { own: "2" } },
      version: "v2",
      owners: new Map(owners.map(([name, set]) => [name, { version: "v1", fields: set }])).set("own", {
        version: "v2",
        fields: fieldSetOf({ "f:data": { "f:own": {} } }),
      }),
      manager: "own",
      force: false,
    };
    const options = { schema: { type: "object" } };
    const added = vi.spyOn(Map.prototype, "set");
    const outcome = await applyInVersions(input, { convert, optionsOf: () => options });
    const { length } = added.mock.calls;
    added.mockRestore();
    expect(outcome).toMatchObject({ kind: "applied" });
    expect(convert.mock.calls.length).toBeLessThan(20);
    expect(length).toBeLessThan(30 * COUNT);
  });

  it("of createStrategicMergePatch, for a type that has itself as a field", () => {
    const node: JsonSchema = { type: "object", properties: { not: { $ref: "#/node" }, x: { type: "integer" } } };
    const [before, after] = ["1", "2"].map(
      (leaf) => parseServerJson(`${'{"not":'.repeat(500)}{"x":${leaf}}${"}".repeat(500)}`) as JsonObject,
    ) as [JsonObject, JsonObject];
    const counts = { reads: 0 };
    const [original, modified] = [counted(before, counts), counted(after, counts)] as [JsonObject, JsonObject];
    counts.reads = 0;
    createStrategicMergePatch(original, modified, { schema: node, resolve: () => node });
    expect(counts.reads).toBeGreaterThan(500);
    expect(counts.reads).toBeLessThan(40 * 500);
  });

  it("of extractApplied, for long lists", () => {
    const numbers = Array.from({ length: COUNT }, (_, index) => index);
    const elements = numbers.map((port) => [`k:{"port":${String(port)},"protocol":"TCP"}`, { ".": {}, "f:port": {} }]);
    const counts = { reads: 0 };
    const items = numbers.map((port) => counted({ port, protocol: "TCP" }, counts)) as readonly JsonObject[];
    const entry = { manager: "one", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1" } as const;
    const fieldsV1 = { "f:spec": { "f:ports": Object.fromEntries(elements) as JSONValue } };
    const metadata = { name: "a", managedFields: [{ ...entry, fieldsV1 }] };
    counts.reads = 0;
    const object = { apiVersion: "v1", kind: "A", metadata, spec: { ports: items } };
    const { spec } = extractApplied<typeof object>(object, "one");
    expect(spec.ports).toHaveLength(COUNT);
    expect(counts.reads).toBeLessThan(20 * COUNT);
  });
});
