import type { Node, PersistentVolumeClaim, Pod } from "@kubescaffold/k8s/core/v1";
import { expect, it } from "vitest";

import { NodeWithPods, withRequests } from "../../src/scheduler/cluster-nodes.ts";
import { nodeFilter } from "../../src/scheduler/node-filters.ts";

const NODE: Node = {
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "a" },
  status: { allocatable: { pods: "10" } },
};

const POD = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace: "default" },
  spec: { containers: [], volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] },
} as Pod;

it("a pod's volumes are looked up once, for all views of the nodes", () => {
  let lookups = 0;
  const claim = (): PersistentVolumeClaim => {
    lookups += 1;
    return {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { annotations: { "pv.kubernetes.io/bind-completed": "yes" } },
      spec: { volumeName: "gone" },
    };
  };
  const filter = nodeFilter(withRequests(POD), {
    claim,
    volume: () => undefined,
    volumes: () => [],
    storageClass: () => undefined,
    storageDriver: () => undefined,
    storageCapacities: () => [],
    labelsOf: () => ({}),
  });
  const node = new NodeWithPods(NODE, []);
  for (let view = 0; view < 3; view += 1)
    expect(filter([node])(node)).toEqual({ reasons: [expect.stringContaining("non-existent pv")], isFinal: true });
  expect(lookups).toBe(1);
});
