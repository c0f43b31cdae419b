import type { JSONValue } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { defineSchema } from "@kubescaffold/schema";
import { beforeEach, describe, expect, it } from "vitest";

import { losslessConverter } from "../../src/index.ts";

interface Thing extends KubernetesObject {
  readonly spec: { readonly size?: number; readonly list?: readonly JSONValue[]; readonly free?: JSONValue };
}

const SCHEMA = {
  type: "object",
  properties: {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: { type: "object" },
    spec: {
      type: "object",
      properties: {
        size: { type: "integer", maximum: 9 },
        list: { type: "array", items: { type: "integer" } },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    },
  },
};

let validations = 0;
const schema = defineSchema<Thing>({ scope: "Namespaced" }, () => SCHEMA);
const counted: typeof schema = {
  ...schema,
  schema: schema.schema,
  prune: (value) => schema.prune(value),
  validate: (value, ...others) => {
    validations += 1;
    return schema.validate(value, ...others);
  },
};
const version = (name: string) => ({ group: "demo", version: name, kind: "Thing", schema: counted });
const converter = losslessConverter<Thing, Thing>({
  hub: version("v1"),
  spoke: version("v1alpha1"),
  toHub: (spoke) => ({ ...spoke, apiVersion: "demo/v1" }),
  fromHub: ({ spec: { list: _list, free: _free, ...spec }, ...hub }) => ({ ...hub, apiVersion: "demo/v1alpha1", spec }),
});

const thing = (spec: Thing["spec"], data?: string): Thing => ({
  apiVersion: "demo/v1alpha1",
  kind: "Thing",
  metadata: { name: "a", ...(data === undefined ? {} : { annotations: { "conversion.kubescaffold.dev/v1": data } }) },
  spec,
});

// Whoever may write an object writes its annotations, too; others read it in all versions.
describe("an annotation with conversion data", () => {
  beforeEach(() => {
    validations = 0;
  });

  it.each([
    ["no list", '{"path":["spec"]}'],
    ["an incomplete text", '[{"path":["spec"'],
    ["a deep text", "[".repeat(60_000)],
    ["a path of 60,000 names", JSON.stringify([{ path: Array.from({ length: 60_000 }, () => "a"), is: 1 }])],
    [
      "a path of names that exist",
      JSON.stringify([{ path: ["spec", ...Array.from({ length: 60_000 }, () => "free")], is: 1 }]),
    ],
    ["a prototype", '[{"path":["__proto__","size"],"is":1},{"path":["spec","__proto__"],"is":{"size":1}}]'],
    ["metadata", '[{"path":["metadata","name"],"is":"b"},{"path":["kind"],"is":"Other"}]'],
    ["a value that the schema refuses", '[{"path":["spec","size"],"was":1,"is":10}]'],
    ["a value of another type", '[{"path":["spec"],"was":{"size":1},"is":"text"}]'],
  ])("that is %s changes nothing", (_title, data) => {
    expect(converter.convertTo(thing({ size: 1 }, data))).toEqual({ ...thing({ size: 1 }), apiVersion: "demo/v1" });
  });

  it("restores a value of 9,000 levels, and loses none", () => {
    let free: JSONValue = {};
    for (let level = 0; level < 9000; level += 1) free = { a: free };
    const hub = { ...thing({ size: 1, free }), apiVersion: "demo/v1" };
    const spoke = converter.convertFrom(hub);
    expect(spoke.spec).toEqual({ size: 1 });
    expect(JSON.stringify(converter.convertTo(spoke).spec.size)).toBe("1");
    expect(spoke.metadata.annotations?.["conversion.kubescaffold.dev/v1"]?.split('{"a":').length).toBe(9001);
  });

  it("is validated for 64 changes at most", () => {
    const data = Array.from({ length: 5000 }, (_each, index) => ({ path: ["spec", "size"], was: 1, is: 100 + index }));
    converter.convertTo(thing({ size: 1 }, JSON.stringify(data)));
    expect(validations).toBeLessThanOrEqual(2 + 64);
  });

  // A look at each pair of items would end with the time limit of the test.
  it("takes time in proportion to long lists", () => {
    const list = Array.from({ length: 30_000 }, (_each, index) => index);
    const changed = list.toReversed();
    const data = JSON.stringify([{ path: ["spec", "list"], was: list, is: changed }]);
    const spoke = thing({ size: 1, list: list.map((item) => item + 1) }, data);
    expect(converter.convertTo(spoke).spec.list).toHaveLength(30_000);
  });
});
