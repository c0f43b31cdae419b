import { ConfigMap, Node } from "@kubescaffold/k8s/core/v1";
import { describe, expect, it } from "vitest";

import { getPartialReference, getReference } from "../../src/client/object-reference.ts";

describe("getReference", () => {
  it("has the kind, the key, and the version of an object", () => {
    const metadata = { namespace: "default", name: "a", uid: "1", resourceVersion: "2", labels: { app: "web" } };
    expect(getReference(ConfigMap.create({ metadata, data: { x: "1" } }))).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      namespace: "default",
      name: "a",
      uid: "1",
      resourceVersion: "2",
    });
  });

  it("has no empty fields for an object that is cluster-scoped or not stored", () => {
    expect(getReference(Node.create({ metadata: { name: "n" } }))).toEqual({
      apiVersion: "v1",
      kind: "Node",
      name: "n",
    });
  });

  it("names a part of an object", () => {
    expect(getPartialReference(Node.create({ metadata: { name: "n" } }), "spec.taints[0]")).toEqual({
      apiVersion: "v1",
      kind: "Node",
      name: "n",
      fieldPath: "spec.taints[0]",
    });
  });

  it("fails for an object without a kind", () => {
    expect(() => getReference({ apiVersion: "", kind: "", metadata: {} })).toThrow("cannot refer to an object without");
  });
});
