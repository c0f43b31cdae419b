import type { PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";
import { afterEach, beforeEach, expect, it } from "vitest";

import { NodeCluster } from "../nodes/node-cluster.ts";

const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const VOLUMES = "/api/v1/persistentvolumes";
const CLASSES = "/apis/storage.k8s.io/v1/storageclasses";

let tools: NodeCluster;

beforeEach(() => {
  tools = new NodeCluster();
});

afterEach(async () => tools.cluster.close());

async function createClaim(name: string, accessModes: readonly string[] = ["ReadWriteOnce"]): Promise<void> {
  const spec = { accessModes, storageClassName: "manual", resources: { requests: { storage: "1Gi" } } };
  await tools.done(tools.admin.post(CLAIMS, { metadata: { name }, spec }));
}

async function createVolume(name: string, accessModes: readonly string[], storage: string): Promise<void> {
  const spec = { accessModes, capacity: { storage }, storageClassName: "manual", hostPath: { path: "/d" } };
  await tools.done(tools.admin.post(VOLUMES, { metadata: { name }, spec }));
}

async function volumeOf(claim: string): Promise<string | undefined> {
  return ((await tools.admin.get(`${CLAIMS}/${claim}`)).body as unknown as PersistentVolumeClaim).spec?.volumeName;
}

it("reports the pods that a claim waits for when it looks at all claims, every 15 seconds", async () => {
  const fields = { provisioner: "disk.example.com", volumeBindingMode: "WaitForFirstConsumer" };
  await tools.done(tools.admin.post(CLASSES, { metadata: { name: "manual" }, ...fields }));
  await createClaim("data");
  const waiting = "WaitForFirstConsumer: waiting for first consumer to be created before binding";
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
  for (const name of ["p", "q"]) await tools.createPod(name, { volumes, nodeSelector: { none: "such" } });
  expect(await tools.events("data")).toEqual([waiting]);
  await tools.advance(15);
  const events = await tools.events("data");
  expect(events.toSorted()).toEqual([waiting, "WaitForPodScheduled: waiting for pods p,q to be scheduled"]);
});

it("binds volumes with the access modes of a claim, and of these one with the fewest", async () => {
  await createVolume("several", ["ReadWriteOnce", "ReadWriteMany"], "1Gi");
  await createVolume("single", ["ReadWriteOnce"], "9Gi");
  await createClaim("read-only", ["ReadOnlyMany"]);
  await createClaim("data");
  await createClaim("shared", ["ReadWriteMany"]);
  expect([await volumeOf("read-only"), await volumeOf("data"), await volumeOf("shared")]).toEqual([
    undefined,
    "single",
    "several",
  ]);
});
