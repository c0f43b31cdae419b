import { structNames, structSchema } from "@kubescaffold/k8s/tables";
import { describe, expect, it } from "vitest";

import type { Schema } from "../../src/importer/normal-form.ts";
import { createWellKnownTypes } from "../../src/importer/well-known-types.ts";

const careful = createWellKnownTypes({ structSchema, losesTexts: false });
const careless = createWellKnownTypes({ structSchema, losesTexts: true });
const selector = structSchema("meta/v1.LabelSelector") ?? {};

describe("types of the API", () => {
  it("are found by their whole shape", () => {
    expect(careful.find({ ...selector, description: "Text of the use." })).toEqual({
      module: "@kubescaffold/k8s/meta/v1",
      name: "LabelSelector",
    });
    expect(careful.find({ ...selector, minProperties: 1 })).toBeUndefined();
    expect(careful.find({ type: "string" })).toBeUndefined();
  });

  it("are found in spite of texts only when those may get lost", () => {
    const properties = selector["properties"] as Readonly<Record<string, Schema>>;
    const described = {
      ...selector,
      properties: { ...properties, matchLabels: { ...properties["matchLabels"], description: "Text." } },
    };
    expect(careful.find(described)).toBeUndefined();
    expect(careless.find(described)?.name).toBe("LabelSelector");
  });

  it("are all in the tables of structs", () => {
    const asked: string[] = [];
    createWellKnownTypes({ structSchema: (name) => void asked.push(name), losesTexts: false }).find(selector);
    const known = new Set(structNames());
    expect(asked.length).toBeGreaterThan(50);
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
  });
});
