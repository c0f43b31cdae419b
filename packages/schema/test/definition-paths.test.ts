import { describe, expect, it } from "vitest";

import {
  followSelectablePath,
  isMetadataPath,
  isScalePath,
  isSelectableType,
  parseJsonPath,
} from "../src/definition-paths.ts";
import type { JsonSchema } from "../src/model/json-schema.ts";

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

const member = (name: string) => ({ kind: "member", name });
const selection = (text: string) => ({ kind: "selection", text });

it.each([
  [".spec.replicas", [member("spec"), member("replicas")]],
  [".a['b.c']", [member("a"), member("b.c")]],
  ['.a["b.c"]', [member("a"), member("b.c")]],
  [String.raw`.a.example\.com/b`, [member("a"), member("example.com/b")]],
  [".list[0].name", [member("list"), selection("0"), member("name")]],
  [".list[*]", [member("list"), selection("*")]],
  [".list.*", [member("list"), selection("*")]],
  ['.list[?(@.name=="a[0]")].size', [member("list"), selection('?(@.name=="a[0]")'), member("size")]],
])("%s has its steps", (path, steps) => {
  expect(parseJsonPath(path)).toEqual(steps);
});

it.each(["", "..name", "spec.a", ".list[0", ".a."])("%j is not split", (path) => {
  expect(parseJsonPath(path)).toBeUndefined();
});

it.each([
  ["specReplicasPath", ".spec.replicas", true],
  ["specReplicasPath", ".status.replicas", false],
  ["specReplicasPath", ".spec", false],
  ["specReplicasPath", ".spec.sets[0]", false],
  ["statusReplicasPath", ".status.replicas", true],
  ["statusReplicasPath", ".spec.replicas", false],
  ["labelSelectorPath", ".spec.selector", true],
  ["labelSelectorPath", ".status.selector", true],
  ["labelSelectorPath", ".metadata.labels", false],
] as const)("%s may be %s: %s", (name, path, expected) => {
  expect(isScalePath(name, path)).toBe(expected);
});
