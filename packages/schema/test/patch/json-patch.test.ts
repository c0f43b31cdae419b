import type { JSONValue } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import { InvalidPatchError, PatchNotApplicableError, PatchTooLargeError } from "../../src/model/errors.ts";
import { applyJsonPatch, unknownJsonPatchFields } from "../../src/patch/json-patch.ts";

const deployment = { metadata: { labels: { a: "1" } }, spec: { list: [1, 2, 3] } };

describe("applyJsonPatch", () => {
  it("adds, inserts, appends, removes, replaces, moves and copies", () => {
    const patched = applyJsonPatch(deployment, [
      { op: "add", path: "/metadata/labels/x~1y", value: "2" },
      { op: "add", path: "/spec/list/0", value: 0 },
      { op: "add", path: "/spec/list/-", value: 4 },
      { op: "remove", path: "/spec/list/-2" },
      { op: "replace", path: "/spec/list/1", value: 9 },
      { op: "copy", from: "/metadata/labels", path: "/spec/copy" },
      { op: "move", from: "/metadata/labels/a", path: "/spec/moved" },
    ]);
    expect(patched).toEqual({
      metadata: { labels: { "x/y": "2" } },
      spec: { list: [0, 9, 2, 4], copy: { a: "1", "x/y": "2" }, moved: "1" },
    });
  });

  it("changes neither document nor patch, and shares no value between the places of a copy", () => {
    const patch: JSONValue = [
      { op: "copy", from: "/metadata/labels", path: "/b" },
      { op: "add", path: "/b/new", value: { deep: 1 } },
    ];
    const before = JSON.stringify([deployment, patch]);
    expect(applyJsonPatch(deployment, patch)).toMatchObject({
      metadata: { labels: { a: "1" } },
      b: { a: "1", new: { deep: 1 } },
    });
    expect(JSON.stringify([deployment, patch])).toBe(before);
  });

  it("fails as a whole when a test fails", () => {
    const patch = [
      { op: "add", path: "/x", value: 1 },
      { op: "test", path: "/spec/list", value: [1] },
    ];
    expect(() => applyJsonPatch(deployment, patch)).toThrow(
      new PatchNotApplicableError("testing value /spec/list failed: test failed"),
    );
  });

  it("refuses what is no patch", () => {
    expect(() => applyJsonPatch({}, { op: "add" })).toThrow(
      new InvalidPatchError(
        "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
      ),
    );
    expect(() => applyJsonPatch({}, [{ op: 1, path: "/a" }])).toThrow(InvalidPatchError);
    expect(() => applyJsonPatch({}, [{ op: "patch", path: "/a" }])).toThrow(
      new PatchNotApplicableError("Unexpected kind: patch"),
    );
  });

  it("takes 10000 operations and no more", () => {
    const operation = { op: "add", path: "/a", value: 1 };
    expect(
      applyJsonPatch(
        {},
        Array.from({ length: 10_000 }, () => operation),
      ),
    ).toEqual({ a: 1 });
    expect(() =>
      applyJsonPatch(
        {},
        Array.from({ length: 10_001 }, () => operation),
      ),
    ).toThrow(new PatchTooLargeError("The allowed maximum operations in a JSON patch is 10000, got 10001"));
  });

  it("stays as it is when later operations change what it added", () => {
    const patch = [
      { op: "add", path: "/a", value: {} },
      { op: "add", path: "/a/b", value: 1 },
    ];
    expect([applyJsonPatch({}, patch), patch[0]?.value]).toEqual([{ a: { b: 1 } }, {}]);
  });

  it.each([null, 5, "text"])("finds no place in a document that is %j", (document) => {
    for (const op of ["add", "remove", "replace"])
      expect(() => applyJsonPatch(document, [{ op, path: "/a", value: 1 }])).toThrow(PatchNotApplicableError);
  });

  it("cannot be used to reach the prototype of objects", () => {
    expect(() => applyJsonPatch({}, [{ op: "add", path: "/__proto__/polluted", value: 1 }])).toThrow(
      PatchNotApplicableError,
    );
    expect(() => applyJsonPatch({}, [{ op: "add", path: "/constructor/prototype/polluted", value: 1 }])).toThrow(
      PatchNotApplicableError,
    );
    expect("polluted" in {}).toBe(false);
  });

  it("names members that operations do not have", () => {
    expect(
      unknownJsonPatchFields([
        { op: "add", path: "/a", foo: 1 },
        { op: "remove", path: "/a" },
      ]),
    ).toEqual(['json patch unknown field "[0].foo"']);
  });
});
