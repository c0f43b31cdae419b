import { describe, expect, it } from "vitest";

import { printPatched } from "../../src/handlers/printed-object.ts";

const owner = { uid: "u", name: "o", kind: "K", apiVersion: "v1" };
const metadata = { uid: "u", namespace: "n", name: "a", labels: { z: "1", a: "2" }, ownerReferences: [owner, owner] };
const object = { metadata, kind: "ConfigMap", data: "x" };
const IN_ORDER = '{"apiVersion":"v1","kind":"K","name":"o","uid":"u"}';

describe("printPatched", () => {
  it("prints metadata in the order of its type where a patch does not read it", () => {
    const expected = `{"data":"x","kind":"ConfigMap","metadata":{"name":"a","namespace":"n","uid":"u","labels":{"a":"2","z":"1"},"ownerReferences":[${IN_ORDER},${IN_ORDER}]}}`;
    for (const patch of [{ data: "x" }, [{ op: "replace", path: "/data", value: "x" }], [], {}, null, [null], [{}]]) {
      expect(printPatched(object, patch)).toBe(expected);
    }
  });

  it("sorts members of metadata that a patch reads", () => {
    for (const patch of [{ metadata: {} }, [{ op: "test", path: "/metadata/name", value: "a" }]]) {
      expect(Object.keys(metadataIn(printPatched(object, patch)))).toEqual([
        "labels",
        "name",
        "namespace",
        "ownerReferences",
        "uid",
      ]);
    }
  });

  it("prints items in the order of their type unless a patch reads or replaces them", () => {
    const controlled = { ...object, metadata: { ...metadata, ownerReferences: [owner, owner].map(withController) } };
    const ordersAfter = (patch: unknown): unknown =>
      (metadataIn(printPatched(controlled, patch))["ownerReferences"] as object[]).map((each) =>
        Object.keys(each).join(),
      );
    const [sorted, ordered] = ["apiVersion,controller,kind,name,uid", "apiVersion,kind,name,uid,controller"];
    expect(ordersAfter([{ op: "test", path: "/metadata/ownerReferences/1/uid", value: "u" }])).toEqual([
      ordered,
      sorted,
    ]);
    expect(ordersAfter({ metadata: { labels: { b: "1" } } })).toEqual([ordered, ordered]);
    expect(ordersAfter({ metadata: { ownerReferences: [owner] } })).toEqual([sorted, sorted]);
  });

  it("prints metadata that is no object", () => {
    expect(printPatched({ kind: "K", metadata: "x" }, {})).toBe('{"kind":"K","metadata":"x"}');
  });
});

function withController(reference: typeof owner): object {
  return { ...reference, controller: true };
}

function metadataIn(text: string): Record<string, unknown> {
  return (JSON.parse(text) as { readonly metadata: Record<string, unknown> }).metadata;
}
