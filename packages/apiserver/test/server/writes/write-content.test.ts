import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { changedFields, comparableObject, digestOf } from "../../../src/server/writes/write-content.ts";
import type { ApiObject } from "../../../src/storage/api-object.ts";

function objectOf(fields: Readonly<Record<string, unknown>>): ApiObject {
  return { apiVersion: "v1", kind: "Foo", metadata: { name: "a" }, ...fields };
}

describe("comparableObject", () => {
  it("accepts all that a server stores: integers of 64 bits, and thousands of levels", () => {
    const deep = Array.from({ length: 5000 }).reduce<unknown>((inner) => ({ inner }), "end");
    const object = objectOf({ spec: { large: 9_007_199_254_740_993n, deep } });
    const other = objectOf({ spec: { large: 9_007_199_254_740_992n, deep } });
    expect(digestOf(comparableObject(object))).not.toBe(digestOf(comparableObject(other)));
    expect(changedFields(comparableObject(object), comparableObject(other))).toEqual([
      { path: "spec.large", previous: "9007199254740993", value: "9007199254740992" },
    ]);
  });

  it("is equal for equal objects, whatever the order of their keys, their uids, times, and versions", () => {
    const fields = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
    fc.assert(
      fc.property(
        fields,
        fc.uuid(),
        fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
        (spec, uid, date) => {
          const other = objectOf({ spec: Object.fromEntries(Object.entries(spec).reverse()) });
          const metadata = { name: "a", uid, resourceVersion: "7", creationTimestamp: date.toISOString() };
          const [left, right] = [
            objectOf({ spec, metadata }),
            {
              ...other,
              metadata: { ...metadata, uid: "u", resourceVersion: "9", creationTimestamp: "1999-01-01T00:00:00Z" },
            },
          ];
          expect(digestOf(comparableObject(left))).toBe(digestOf(comparableObject(right)));
          expect(changedFields(comparableObject(left), comparableObject(right))).toEqual([]);
        },
      ),
    );
  });
});

describe("changedFields", () => {
  it("names the fields that differ, also those whose keys have dots", () => {
    const before = { spec: { replicas: 1, items: [1, 2] }, labels: { "a.b/c": "1" } };
    const after = { spec: { replicas: 2, items: [1], paused: true }, labels: { "a.b/c": "2" } };
    expect(changedFields(before, after)).toEqual([
      { path: 'labels["a.b/c"]', previous: "1", value: "2" },
      { path: "spec.items", previous: [1, 2], value: [1] },
      { path: "spec.paused", previous: undefined, value: true },
      { path: "spec.replicas", previous: 1, value: 2 },
    ]);
  });
});
