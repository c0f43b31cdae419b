import { describe, expect, it } from "vitest";

import { followSelectablePath, isMetadataPath, isSelectableType } from "../../src/definition-paths/selectable-field.ts";
import type { JsonSchema } from "../../src/json-schema.ts";

const ROOT: JsonSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: { color: { type: "string" }, map: { type: "object", additionalProperties: { type: "integer" } } },
    },
  },
};

describe("the path of a selectable field", () => {
  it.each([
    [".spec.color", { kind: "field", schema: { type: "string" } }],
    [".spec.map.any", { kind: "field", schema: { type: "integer" } }],
    [".spec.size", { kind: "unknown", name: "size" }],
    [".spec.color.more", { kind: "unknown", name: "more" }],
    [".spec.color[0]", { kind: "noDot", found: "[" }],
    ["spec.color", { kind: "noDot", found: "spec" }],
    [".spec.", { kind: "unfinished" }],
  ])("%s leads to %j", (path, target) => {
    expect(followSelectablePath(ROOT, path)).toEqual(target);
  });

  it.each([
    [".metadata", true],
    [".metadata.name", true],
    [".metadatas", false],
    [".spec.metadata", false],
  ])("%s lies in metadata: %s", (path, expected) => {
    expect(isMetadataPath(path)).toBe(expected);
  });
});

it.each([
  ["string", true],
  ["boolean", true],
  ["integer", true],
  ["number", false],
  ["object", false],
  [undefined, false],
])("fields of the type %s are selectable: %s", (type, expected) => {
  expect(isSelectableType(type)).toBe(expected);
});
