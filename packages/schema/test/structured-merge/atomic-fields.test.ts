import { expect, it } from "vitest";

import type { JsonSchema } from "../../src/model/json-schema.ts";
import { atomicFields } from "../../src/structured-merge/atomic-fields.ts";

const TEXT: JsonSchema = { type: "string" };
const SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    plain: { type: "array", items: TEXT },
    set: { type: "array", "x-kubernetes-list-type": "set", items: TEXT },
    items: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { type: "object", properties: { name: TEXT, args: { type: "array", items: TEXT } } },
    },
    whole: { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: TEXT } },
    any: { type: "object" },
    map: { type: "object", additionalProperties: { type: "array", items: TEXT } },
  },
};

it("the lists and objects that are replaced as a whole are found, but for those in maps", () => {
  const value = {
    plain: ["a"],
    set: ["a"],
    items: [{ name: "a" }, { name: "b", args: ["c"] }],
    whole: { a: "b" },
    any: { a: 1 },
    map: { a: ["b"] },
  };
  expect(atomicFields(value, SCHEMA, {})).toEqual([".plain", ".items[1].args", ".whole", ".any"]);
  expect(atomicFields({ set: ["a"], items: [{ name: "a" }] }, SCHEMA, {})).toEqual([]);
});
