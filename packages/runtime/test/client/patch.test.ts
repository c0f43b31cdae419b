import type { JSONValue } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { applyJsonMergePatch, deepEqual } from "@kubescaffold/schema";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { mergeFrom } from "../../src/client/patch.ts";

type Json = { readonly [key: string]: JSONValue };

// Values that a merge patch can express: null inside an object means absent, so it does not occur.
const values = fc.letrec<{ readonly value: JSONValue; readonly object: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.array(fc.oneof(fc.integer(), fc.constant(null)), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), tie("value"), { maxKeys: 3 }),
}));

function objectOf(spec: JSONValue, metadata: KubernetesObject["metadata"] = { name: "x" }): KubernetesObject {
  return { apiVersion: "v1", kind: "Thing", metadata, spec } as KubernetesObject;
}

function applied(original: KubernetesObject, patch: unknown): unknown {
  return applyJsonMergePatch(original as unknown as Json, patch as JSONValue);
}

describe("row 28: merge patches", () => {
  it("a patch applied to the original yields the modified object, for any two objects", () => {
    fc.assert(
      fc.property(values.object, values.object, (before, after) => {
        const [original, modified] = [objectOf(before), objectOf(after)];
        expect(deepEqual(applied(original, mergeFrom(original).data(modified)), modified)).toBe(true);
      }),
    );
  });

  it("equal objects give an empty patch", () => {
    fc.assert(
      fc.property(values.object, (spec) => {
        expect(mergeFrom(objectOf(spec)).data(structuredClone(objectOf(spec)))).toEqual({});
      }),
    );
  });

  it("removed fields are null, lists are complete, undefined is absent", () => {
    const original = objectOf({ a: 1, b: [1, 2], c: { d: 1 } });
    const modified = { ...original, spec: { a: undefined, b: [2], c: { d: 1 } } };
    expect(mergeFrom(original).data(modified)).toEqual({ spec: { a: null, b: [2] } });
  });

  it("with an optimistic lock the original's resourceVersion goes along, also when nothing changed", () => {
    const original = objectOf({ a: 1 }, { name: "x", resourceVersion: "7" });
    const modified = { ...original, metadata: { ...original.metadata, labels: { k: "v" }, resourceVersion: "8" } };
    const patch = mergeFrom(original, { optimisticLock: true });
    expect(patch.data(modified)).toEqual({ metadata: { labels: { k: "v" }, resourceVersion: "7" } });
    expect(patch.data(original)).toEqual({ metadata: { resourceVersion: "7" } });
    expect(() => mergeFrom(objectOf({}), { optimisticLock: true }).data(objectOf({}))).toThrow(
      "cannot lock the patch of Thing x: the original has no resourceVersion",
    );
  });
});
