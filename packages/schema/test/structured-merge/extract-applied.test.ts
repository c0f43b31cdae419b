import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { describe, expect, it } from "vitest";

import { extractApplied } from "../../src/structured-merge/extract-applied.ts";

const OBJECT = {
  apiVersion: "demo/v1",
  kind: "Demo",
  metadata: {
    name: "a",
    namespace: "b",
    uid: "1",
    labels: { mine: "1", other: "2" },
    managedFields: [
      {
        manager: "me",
        operation: "Apply",
        fieldsV1: {
          "f:metadata": { "f:labels": { "f:mine": {} } },
          "f:spec": {
            "f:size": {},
            "f:whole": {},
            "f:shared": {},
            "f:items": { 'k:{"name":"x","protocol":"TCP"}': { ".": {}, "f:name": {}, "f:port": {} } },
            "f:names": { 'v:"n"': {} },
          },
        },
      },
      { manager: "me", operation: "Update", fieldsV1: { "f:spec": { "f:updated": {} } } },
      { manager: "me", operation: "Apply", subresource: "status", fieldsV1: { "f:status": { "f:ready": {} } } },
      { manager: "you", operation: "Apply", fieldsV1: { "f:spec": { "f:shared": { "f:yours": {} } } } },
    ],
  },
  spec: {
    size: 1,
    updated: true,
    whole: { a: 1, b: 2 },
    shared: { yours: 1 },
    items: [
      { name: "y", port: 1 },
      { name: "x", port: 2, extra: 3 },
    ],
    names: ["m", "n"],
  },
  status: { ready: 1, seen: 2 },
} as KubernetesObject;

const LARGE = 2n ** 53n + 1n;
const IDENTITY = { apiVersion: "demo/v1", kind: "Demo", metadata: { name: "a", namespace: "b" } };

describe("extracting what an owner applied", () => {
  it("gives the identity and just the fields of the owner, elements by their keys", () => {
    expect(extractApplied(OBJECT, "me")).toEqual({
      ...IDENTITY,
      metadata: { ...IDENTITY.metadata, labels: { mine: "1" } },
      spec: { size: 1, whole: { a: 1, b: 2 }, shared: {}, items: [{ name: "x", port: 2 }], names: ["n"] },
    });
  });

  it("finds elements that are integers beyond 2^53", () => {
    const fieldsV1 = {
      "f:spec": {
        "f:ids": { "v:9007199254740993": {} },
        "f:items": { 'k:{"id":9007199254740993}': { "f:id": {} } },
      },
    };
    const object = {
      ...OBJECT,
      metadata: { name: "a", managedFields: [{ manager: "me", operation: "Apply", fieldsV1 }] },
      spec: {
        ids: [9_007_199_254_740_992, LARGE],
        items: [{ id: 9_007_199_254_740_992 }, { id: LARGE, port: 1 }],
      },
    } as unknown as KubernetesObject;
    expect(extractApplied(object, "me")).toMatchObject({ spec: { ids: [LARGE], items: [{ id: LARGE }] } });
  });

  it("tells the fields of a subresource from those of the object", () => {
    expect(extractApplied(OBJECT, "me", "status")).toEqual({ ...IDENTITY, status: { ready: 1 } });
  });

  it.each(["nobody", ""])("gives the identity alone to %j, who applied nothing", (manager) => {
    expect(extractApplied(OBJECT, manager)).toEqual(IDENTITY);
  });

  it("gives the identity alone of an object without managedFields", () => {
    const { managedFields: _managedFields, ...metadata } = OBJECT.metadata;
    expect(extractApplied({ ...OBJECT, metadata }, "me")).toEqual(IDENTITY);
  });
});
