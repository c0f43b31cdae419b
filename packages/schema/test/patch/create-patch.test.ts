import type { JSONValue } from "@kubescaffold/k8s";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { JsonObject } from "../../src/json/json-value.ts";
import { createJsonMergePatch, createJsonPatch } from "../../src/patch/create-patch.ts";
import { applyJsonMergePatch } from "../../src/patch/json-merge-patch.ts";
import { applyJsonPatch } from "../../src/patch/json-patch.ts";
import { documents } from "../oracle/arbitrary-patches.ts";

describe("createJsonMergePatch", () => {
  it("holds what changed and null for what went away", () => {
    expect(createJsonMergePatch({ a: 1, b: { c: 1, d: [1] }, e: 1 }, { a: 1, b: { c: 2, d: [1] } })).toEqual({
      b: { c: 2 },
      e: null,
    });
    expect(createJsonMergePatch({ a: { b: 1 } }, { a: { b: 1 } })).toEqual({});
  });

  it("leads from one object to the other", () => {
    fc.assert(
      fc.property(documents, documents, (from, to) => {
        const target = applyJsonMergePatch({}, to);
        const patch = createJsonMergePatch(from, target);
        expect(applyJsonMergePatch(from as JsonObject, patch)).toEqual(target);
      }),
    );
  });
});

describe("createJsonPatch", () => {
  it("holds one operation for each difference", () => {
    expect(createJsonPatch({ a: 1, b: [1, 2], c: 1 }, { a: 2, b: [1], "x/y": 3 })).toEqual([
      { op: "remove", path: "/c" },
      { op: "replace", path: "/a", value: 2 },
      { op: "remove", path: "/b/1" },
      { op: "add", path: "/x~1y", value: 3 },
    ]);
    expect(createJsonPatch({ a: [1] }, { a: [1] })).toEqual([]);
  });

  it("leads from one value to the other", () => {
    fc.assert(
      fc.property(documents, documents, (from, to) => {
        const patch = createJsonPatch(from, to);
        expect(applyJsonPatch(from as JSONValue, patch as unknown as JSONValue)).toEqual(to);
      }),
    );
  });
});
