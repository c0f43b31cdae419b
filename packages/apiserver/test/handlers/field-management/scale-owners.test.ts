import type { ManagedFieldsEntry } from "@kubescaffold/k8s/meta/v1";
import { describe, expect, it } from "vitest";

import { ownersAfterScale, ownersOfScale } from "../../../src/handlers/field-management/scale-owners.ts";

const OWNED = { apiVersion: "example.com/v1", replicas: ".spec.size" };

function entry(manager: string, fields: object, more: ManagedFieldsEntry = {}): ManagedFieldsEntry {
  const fieldsV1 = fields as NonNullable<ManagedFieldsEntry["fieldsV1"]>;
  return { manager, operation: "Apply", apiVersion: "example.com/v1", fieldsType: "FieldsV1", fieldsV1, ...more };
}

const SIZE = { "f:spec": { "f:size": {} } };
const REPLICAS = { "f:spec": { "f:replicas": {} } };
const SCALE = { apiVersion: "autoscaling/v1", subresource: "scale" };
const whole = entry("whole", { "f:spec": { "f:color": {}, "f:size": {} } });

describe("the owners of a scale", () => {
  it("are those of the replicas of its object, and of nothing else", () => {
    const entries = [whole, entry("painter", { "f:spec": { "f:color": {} } }), entry("spec", { "f:spec": {} })];
    expect(ownersOfScale({ ...OWNED, entries })).toEqual([entry("whole", REPLICAS, { apiVersion: "autoscaling/v1" })]);
  });

  it("are none where nobody owns anything", () => {
    expect(ownersOfScale({ ...OWNED, entries: undefined })).toEqual([]);
  });
});

describe("the owners of an object after its scale was written", () => {
  const after = (entries: readonly ManagedFieldsEntry[], scale: readonly ManagedFieldsEntry[]) =>
    ownersAfterScale({ ...OWNED, entries }, scale);

  it("own the replicas beside one another when both state the same", () => {
    const scaler = entry("scaler", REPLICAS, SCALE);
    const both = after([whole], [entry("whole", REPLICAS, { apiVersion: "autoscaling/v1" }), scaler]);
    expect(both).toEqual([entry("scaler", SIZE, { subresource: "scale" }), whole]);
  });

  it("lose the replicas to who took them, and keep the rest", () => {
    const taken = after([whole], [entry("scaler", REPLICAS, SCALE)]);
    const rest = entry("whole", { "f:spec": { "f:color": {} } });
    expect(taken).toEqual([entry("scaler", SIZE, { subresource: "scale" }), rest]);
  });

  it("go when they owned nothing else", () => {
    expect(after([entry("whole", SIZE)], [])).toEqual([]);
  });

  it("have entries without a time for those who update", () => {
    const hand = { operation: "Update", subresource: "scale" };
    const before = entry("hand", SIZE, { ...hand, time: "2026-01-01T00:00:00Z" });
    const updated = entry("hand", REPLICAS, { ...hand, ...SCALE, time: "2026-01-02T00:00:00Z" });
    expect(after([before], [updated])).toEqual([entry("hand", SIZE, hand)]);
  });

  it("own nothing of the object for other fields of the scale", () => {
    expect(after([], [entry("scaler", { "f:status": { "f:replicas": {} } }, SCALE)])).toEqual([]);
  });
});
