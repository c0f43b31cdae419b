import { afterEach, beforeEach, expect, it } from "vitest";

import { NodeCluster } from "../nodes/node-cluster.ts";

const CLASSES = "/apis/storage.k8s.io/v1/volumeattributesclasses";
const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const VOLUMES = "/api/v1/persistentvolumes";

let tools: NodeCluster;

beforeEach(async () => {
  tools = new NodeCluster();
  const body = { metadata: { name: "gold" }, driverName: "disk.example.com", parameters: { iops: "500" } };
  await tools.done(tools.admin.post(CLASSES, body));
});

afterEach(async () => tools.cluster.close());

async function statusOf(path: string): Promise<number> {
  return (await tools.admin.get(path)).status;
}

it("deletes a class that nothing has", async () => {
  const { metadata } = (await tools.admin.get(`${CLASSES}/gold`)).body as { readonly metadata: object };
  expect(metadata).toMatchObject({ finalizers: ["kubernetes.io/vac-protection"] });
  await tools.done(tools.admin.delete(`${CLASSES}/gold`));
  expect(await statusOf(`${CLASSES}/gold`)).toBe(404);
});

it("keeps a class until no claim has it", async () => {
  const spec = {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Gi" } },
    storageClassName: "none",
    volumeAttributesClassName: "gold",
  };
  await tools.done(tools.admin.post(CLAIMS, { metadata: { name: "data" }, spec }));
  await tools.done(tools.admin.delete(`${CLASSES}/gold`));
  expect(await statusOf(`${CLASSES}/gold`)).toBe(200);
  await tools.done(tools.admin.delete(`${CLAIMS}/data`));
  expect(await statusOf(`${CLASSES}/gold`)).toBe(404);
});

it("keeps a class until no volume has it", async () => {
  const spec = {
    accessModes: ["ReadWriteOnce"],
    capacity: { storage: "1Gi" },
    csi: { driver: "disk.example.com", volumeHandle: "one" },
    volumeAttributesClassName: "gold",
  };
  await tools.done(tools.admin.post(VOLUMES, { metadata: { name: "one" }, spec }));
  await tools.done(tools.admin.delete(`${CLASSES}/gold`));
  expect(await statusOf(`${CLASSES}/gold`)).toBe(200);
  await tools.done(tools.admin.delete(`${VOLUMES}/one`));
  expect(await statusOf(`${CLASSES}/gold`)).toBe(404);
});
