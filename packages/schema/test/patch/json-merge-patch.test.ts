import type { JSONValue } from "@kubescaffold/k8s";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { JsonObject } from "../../src/json/json-value.ts";
import { InvalidPatchError } from "../../src/model/errors.ts";
import { applyJsonMergePatch } from "../../src/patch/json-merge-patch.ts";
import { documents } from "../oracle/arbitrary-patches.ts";

const VECTORS: readonly (readonly [JsonObject, JsonObject, JsonObject])[] = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

describe("applyJsonMergePatch", () => {
  it.each(VECTORS)("turns %j by %j into %j", (document, patch, expected) => {
    expect(applyJsonMergePatch(document, patch)).toEqual(expected);
  });

  it("refuses a patch that is no object", () => {
    expect(() => applyJsonMergePatch({}, [1])).toThrow(
      new InvalidPatchError(
        "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}",
      ),
    );
    expect(() => applyJsonMergePatch({}, null)).toThrow(new InvalidPatchError("Invalid JSON Patch"));
  });

  it("does nothing more when applied again, and never changes its inputs", () => {
    fc.assert(
      fc.property(documents, documents, (document, patch) => {
        const before = JSON.stringify([document, patch]);
        const once = applyJsonMergePatch(document, patch);
        expect(applyJsonMergePatch(once, patch as JSONValue)).toEqual(once);
        expect(JSON.stringify([document, patch])).toBe(before);
      }),
    );
  });
});
