import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { applyJsonMergePatch } from "../../src/patch/json-merge-patch.ts";
import { createThreeWayJsonMergePatch } from "../../src/patch/three-way-merge-patch.ts";
import { documents } from "../oracle/arbitrary-patches.ts";

describe("createThreeWayJsonMergePatch", () => {
  it("sets what changed, removes what the original had, and leaves what others added", () => {
    const original = { spec: { replicas: 1, paused: true, image: "a" } };
    const modified = { spec: { replicas: 2, image: "a" } };
    const current = { spec: { replicas: 1, paused: true, image: "a", strategy: { kind: "of another" } } };
    expect(createThreeWayJsonMergePatch(original, modified, current)).toEqual({ spec: { replicas: 2, paused: null } });
  });

  it("removes a member also when it is gone already, as upstream does", () => {
    expect(createThreeWayJsonMergePatch({ a: 1 }, {}, {})).toEqual({ a: null });
  });

  it("replaces lists, and keeps empty objects as values", () => {
    const patch = createThreeWayJsonMergePatch({ list: [1] }, { list: [1, 2], empty: {} }, { list: [1] });
    expect(patch).toEqual({ list: [1, 2], empty: {} });
  });

  it("removes a member of an object that another replaced by a scalar", () => {
    const patch = createThreeWayJsonMergePatch({ a: { b: 1, c: 1 } }, { a: { c: 2 } }, { a: "scalar" });
    expect(patch).toEqual({ a: { b: null, c: 2 } });
  });

  it("is empty if nothing is to be changed", () => {
    expect(createThreeWayJsonMergePatch({ a: 1 }, { a: 1 }, { a: 1, b: 2 })).toEqual({});
  });

  it("with the current object as the original, is the merge patch between two objects", () => {
    fc.assert(
      fc.property(documents, documents, (current, modified) => {
        const target = applyJsonMergePatch({}, modified);
        const patch = createThreeWayJsonMergePatch(current, target, current);
        expect(applyJsonMergePatch(current, patch)).toEqual(target);
      }),
    );
  });
});
