import { expect, it } from "vitest";

import {
  coerceObjectMeta,
  objectMetaTypeProblem,
  unknownObjectMetaFields,
} from "../../src/object-meta/object-meta-shape.ts";

it("metadata of the wrong types is refused in Go's words", () => {
  expect(objectMetaTypeProblem({ labels: { a: 1 } })).toBe(
    "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string",
  );
  expect(objectMetaTypeProblem({ name: "x", generation: 1, deletionTimestamp: null })).toBeUndefined();
});

it("unknown members are named by their paths", () => {
  expect(unknownObjectMetaFields({ name: "x", bogus: 1, ownerReferences: [{ name: "o", odd: 1 }] })).toEqual([
    "bogus",
    "ownerReferences[0].odd",
  ]);
});

it("metadata keeps what is known and of the right type, and itself where that is all", () => {
  const metadata = { name: "x", labels: { a: "b" } };
  expect(coerceObjectMeta(metadata)).toBe(metadata);
  expect(coerceObjectMeta({ ...metadata, bogus: 1, annotations: { a: 1 } })).toEqual(metadata);
});
