import { describe, expect, it } from "vitest";

import type { ApiObject } from "../../../../apiserver/src/storage/api-object.ts";
import type { StoreEvent } from "../../../../apiserver/src/storage/object-reader.ts";
import {
  nodeKey,
  nodeOf,
  OwnershipGraph,
  parseNodeKey,
} from "../../../src/controllers/garbage-collector/ownership-graph.ts";

const MAPS = { group: "", resource: "configmaps" };

function owned(name: string, ...uids: readonly string[]): ApiObject {
  const ownerReferences = uids.map((uid) => ({ apiVersion: "v1", kind: "ConfigMap", name: uid, uid }));
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "n", ownerReferences } };
}

function event(kind: StoreEvent["kind"], object: ApiObject, previous?: ApiObject): StoreEvent {
  return { kind, groupResource: MAPS, revision: 1, key: "n/x", object, previous };
}

describe("OwnershipGraph", () => {
  it("follows references as they come, change and go", () => {
    const graph = new OwnershipGraph();
    const namesOf = (uid: string): readonly string[] => graph.dependentsOf(uid).map(({ name }) => name);
    graph.apply(event("added", owned("a", "u")));
    graph.apply(event("added", owned("b", "u", "v")));
    expect([namesOf("u"), namesOf("v")]).toEqual([["a", "b"], ["b"]]);
    graph.apply(event("modified", owned("b", "v"), owned("b", "u", "v")));
    expect([namesOf("u"), namesOf("v")]).toEqual([["a"], ["b"]]);
    graph.apply(event("deleted", owned("a", "u"), owned("a", "u")));
    expect(namesOf("u")).toEqual([]);
  });

  it("prints nodes so that they can be read back", () => {
    const node = nodeOf({ group: "apps", resource: "deployments" }, owned("a"));
    expect(parseNodeKey(nodeKey(node))).toEqual(node);
  });
});
