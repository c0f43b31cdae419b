import { describe, expect, it } from "vitest";

import { loadRelease, type Release } from "../../../src/release/release.ts";
import { checkedMetadata } from "../../../src/resources/custom/checked-metadata.ts";

const REFERENCE = { apiVersion: "v1", kind: "Pod", name: "x", uid: "u" };

describe("metadata of other types that webhooks return", () => {
  it.each([
    [{ labels: { a: 1 } }, "cannot convert int64 to string"],
    [{ labels: { a: 1.5 } }, "unrecognized type: string"],
    [{ labels: ["a"] }, "cannot restore map from slice"],
    [{ annotations: "a" }, "cannot restore map from string"],
    [{ finalizers: { a: "b" } }, "cannot restore slice from map"],
    [{ finalizers: [true] }, "unrecognized type: string"],
    [{ ownerReferences: ["x"] }, "cannot restore struct from: string"],
    [{ ownerReferences: [{ ...REFERENCE, uid: 1 }] }, "cannot convert int64 to types.UID"],
    [{ ownerReferences: [{ ...REFERENCE, controller: "yes" }] }, "unrecognized type: bool"],
    [{ generation: "1" }, "unrecognized type: int64"],
    [{ deletionGracePeriodSeconds: 1.5 }, "cannot convert float64 to int64"],
    [{ deletionTimestamp: 1 }, "json: cannot unmarshal number into Go value of type string"],
  ])("are refused since 1.37: %j", (dropped, problem) => {
    const { metadata, problem: error } = checkedMetadata(released("1.37"), { name: "a" }, dropped);
    expect(metadata.name).toBe("a");
    expect(error).toEqual({
      type: "FieldValueInvalid",
      field: "metadata",
      badValue: { name: "a", ...dropped },
      detail: problem,
    });
  });

  it("names the first member in the order of Go's fields", () => {
    const { problem } = checkedMetadata(released("1.37"), { name: "a" }, { finalizers: "x", labels: { a: 1 } });
    expect(problem?.detail).toBe("cannot convert int64 to string");
  });

  it("are no error if only their names are unknown", () => {
    expect(checkedMetadata(released("1.37"), { name: "a" }, { unknown: 1 })).toEqual({ metadata: { name: "a" } });
  });

  it("are missing before: owners lose single members", () => {
    const dropped = { labels: { a: 1 }, ownerReferences: [{ ...REFERENCE, uid: 1, controller: "yes" }] };
    expect(checkedMetadata(released("1.36"), { name: "a" }, dropped)).toEqual({
      metadata: { name: "a", ownerReferences: [{ ...REFERENCE, uid: "" }] },
    });
  });
});

function released(minor: string): Release {
  const release = loadRelease(minor);
  if (release === undefined) throw new Error(`no release ${minor}`);
  return release;
}
