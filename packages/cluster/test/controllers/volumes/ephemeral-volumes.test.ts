import type { PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf } from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";
import { NodeCluster, PODS } from "../nodes/node-cluster.ts";

const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
const QUOTAS = "/api/v1/namespaces/default/resourcequotas";
const SPEC = {
  accessModes: ["ReadWriteOnce"],
  storageClassName: "fast",
  resources: { requests: { storage: "1Gi" } },
};
const WITH_VOLUME = {
  volumes: [{ name: "data", ephemeral: { volumeClaimTemplate: { metadata: { labels: { a: "b" } }, spec: SPEC } } }],
};

let tools: NodeCluster;

beforeEach(async () => {
  tools = new NodeCluster();
  await tools.done(tools.admin.post(CLASSES, { metadata: { name: "fast" }, provisioner: "disk.example.com" }));
});

afterEach(async () => tools.cluster.close());

async function claim(): Promise<PersistentVolumeClaim> {
  return (await tools.admin.get(`${CLAIMS}/p-data`)).body as unknown as PersistentVolumeClaim;
}

async function hasClaim(): Promise<boolean> {
  return (await tools.admin.get(`${CLAIMS}/p-data`)).status === 200;
}

describe("the claim of an ephemeral volume", () => {
  it("belongs to its pod, which runs when the claim is bound, and goes with it", async () => {
    await tools.createPod("p", WITH_VOLUME);
    const { uid } = (await tools.pod("p")).metadata;
    const { metadata, status } = await claim();
    expect([status?.phase, await tools.nodeOf("p")]).toEqual(["Bound", "node-0"]);
    expect(metadata).toMatchObject({
      labels: { a: "b" },
      ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid, controller: true, blockOwnerDeletion: true }],
    });
    await tools.done(tools.admin.delete(`${PODS}/p?gracePeriodSeconds=0`));
    expect(await hasClaim()).toBe(false);
  });

  it("is not that of another object with its name, until this is deleted", async () => {
    await tools.done(tools.admin.post(CLAIMS, { metadata: { name: "p-data" }, spec: SPEC }));
    await tools.createPod("p", WITH_VOLUME);
    const message = "PVC default/p-data was not created for pod default/p (pod is not owner)";
    expect(await tools.conditionOf("p", "PodScheduled")).toBe(
      `False Unschedulable 0/1 nodes are available: ${message}. not found`,
    );
    expect(await tools.events("p")).toContain(`FailedBinding: ephemeral volume data: ${message}`);
    await tools.done(tools.admin.delete(`${CLAIMS}/p-data`));
    expect(await tools.nodeOf("p")).toBe("node-0");
    expect((await claim()).metadata.ownerReferences?.[0]?.name).toBe("p");
  });

  it("is created later when it is refused, and the pod waits for it", async () => {
    const hard = { persistentvolumeclaims: "0" };
    await tools.done(tools.admin.post(QUOTAS, { metadata: { name: "none" }, spec: { hard } }));
    await tools.createPod("p", WITH_VOLUME);
    expect(await tools.conditionOf("p", "PodScheduled")).toContain(
      'waiting for ephemeral volume controller to create the persistentvolumeclaim "p-data"',
    );
    expect((await tools.events("p")).join("\n")).toContain(
      'FailedBinding: ephemeral volume data: create PVC p-data: persistentvolumeclaims "p-data" is forbidden: exceeded quota',
    );
    await tools.done(tools.admin.delete(`${QUOTAS}/none`));
    await tools.advance(10);
    expect(await tools.nodeOf("p")).toBe("node-0");
  });
});

describe("a cluster without simulated workloads", () => {
  it("creates the claims of ephemeral volumes", async () => {
    const cluster = createEmbeddedCluster();
    const admin = requestsOf(cluster.config);
    cluster.server.start();
    try {
      const metadata = { name: "p" };
      await admin.post(PODS, { metadata, spec: { containers: [{ name: "c", image: "busybox:1" }], ...WITH_VOLUME } });
      await cluster.server.idle();
      expect((await admin.get(`${CLAIMS}/p-data`)).status).toBe(200);
    } finally {
      await cluster.close();
    }
  });
});
