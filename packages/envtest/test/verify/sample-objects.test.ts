import { applyJsonMergePatch } from "@kubescaffold/schema/patches";
import { describe, expect, it } from "vitest";

import { revertingPatch } from "../../src/verify/sample-objects.ts";

describe("the patch that reverts a change of a field", () => {
  it.each([
    [{ spec: { size: 1 } }, ["spec", "size"], { spec: { size: 2 } }],
    [{ spec: { size: 1 } }, ["spec", "port"], { spec: { size: 1, port: 80 } }],
    [
      { spec: { size: 1 } },
      ["spec", "template", "metadata", "name"],
      { spec: { size: 1, template: { metadata: { name: "b" } } } },
    ],
    [{ spec: { template: {} } }, ["spec", "template", "name"], { spec: { template: { name: "b" } } }],
    [{}, ["spec", "size"], { spec: { size: 1 } }],
  ])("restores %j after a change of %j", (original, path, changed) => {
    expect(applyJsonMergePatch(changed, revertingPatch(original, path) as never)).toEqual(original);
  });
});
