import { describe, expect, it } from "vitest";

import { followJsonPath, isBalanced } from "../../src/checks/check-paths.ts";
import type { SchemaNode } from "../../src/crd/model/schema-node.ts";

const ROOT: SchemaNode = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        list: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
        map: { type: "object", additionalProperties: { type: "integer" } },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        "a.b": { type: "string" },
      },
    },
  },
};

describe("a path through a schema", () => {
  it.each([
    [".spec.list[0].name", "found"],
    [".spec.list[*].name", "found"],
    ['.spec.list[?(@.name=="a")].name', "found"],
    [".spec.map.any", "found"],
    [".spec['a.b']", "found"],
    [".spec.a\\.b", "found"],
    [".metadata.creationTimestamp", "open"],
    [".spec.free.anything.below", "open"],
    ["..name", "open"],
    [".spec.*", "open"],
    [".status.phase", "missing"],
    [".spec.list[0].size", "missing"],
    [".spec.list[0].name.more", "missing"],
  ])("%s is %s", (path, kind) => {
    expect(followJsonPath(ROOT, path).kind).toBe(kind);
  });
});

it.each([
  [".a[0]", true],
  [".a['[']", true],
  [".a[0", false],
  [".a]0[", false],
])("the brackets of %s are balanced: %s", (path, expected) => {
  expect(isBalanced(path)).toBe(expected);
});
