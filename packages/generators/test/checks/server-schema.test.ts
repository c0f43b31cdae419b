import { structNames, structSchema } from "@kubescaffold/k8s/tables";
import { checkStructural, type JsonSchema } from "@kubescaffold/schema";
import { describe, expect, it } from "vitest";

import { toServerSchema, toWholeServerSchema } from "../../src/checks/server-schema.ts";
import type { SchemaNode } from "../../src/crd/model/schema-node.ts";

describe("built-in structs", () => {
  it.each(structNames())("%s is judged as a server judges all of it", (name) => {
    const node: SchemaNode = { type: "object", properties: { spec: structSchema(name) ?? {} } };
    const whole = toWholeServerSchema(node);
    const part = toServerSchema(node);
    expect(part === undefined ? [] : checkStructural(part)).toEqual(checkStructural(whole));
  });

  it("are plain but for a few", () => {
    const doubtful = structNames().filter(
      (name) => toServerSchema({ type: "object", properties: { spec: structSchema(name) ?? {} } }) !== undefined,
    );
    expect(doubtful.length).toBeLessThan(structNames().length / 5);
    expect(doubtful).not.toContain("core/v1.PodTemplateSpec");
  });
});

describe("the part of a schema that a server could refuse", () => {
  it.each<[name: string, spec: SchemaNode]>([
    [
      "plain fields",
      {
        type: "object",
        properties: { a: { type: "string", maxLength: 5 }, b: { type: "array", items: { type: "integer" } } },
        required: ["a"],
      },
    ],
    [
      "a default that fits",
      { type: "object", properties: { a: { type: "integer", format: "int32", minimum: 1, default: 1 } } },
    ],
    [
      "a list with a required key",
      {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["a"],
        items: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
      },
    ],
  ])("is nothing with %s", (_, spec) => {
    const root: SchemaNode = { type: "object", properties: { spec } };
    expect(toServerSchema(root)).toBeUndefined();
    expect(checkStructural(toWholeServerSchema(root))).toEqual([]);
  });

  it.each<[name: string, spec: SchemaNode]>([
    ["a default of another type", { type: "integer", default: "1" }],
    ["a default that is too large", { type: "integer", maximum: 1, default: 2 }],
    ["a default outside the enum", { type: "string", enum: ["a"], default: "b" }],
    ["a fraction", { type: "integer", default: 1.5 }],
    ["a set of objects", { type: "array", "x-kubernetes-list-type": "set", items: { type: "object" } }],
    [
      "a key that is not there",
      {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["b"],
        items: { type: "object", properties: { a: { type: "string" } } },
      },
    ],
    ["no type", { maxLength: 1 }],
    ["a list without items", { type: "array" }],
  ])("has the findings of the whole with %s", (_, spec) => {
    const root: SchemaNode = {
      type: "object",
      properties: { spec: { type: "object", properties: { plain: { type: "string" }, spec } } },
    };
    const found = checkStructural(toServerSchema(root) as JsonSchema);
    expect(found).toEqual(checkStructural(toWholeServerSchema(root)));
    expect(found).not.toEqual([]);
  });
});
