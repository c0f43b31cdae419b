import type { PersistentVolume, PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { NodeCluster } from "../nodes/node-cluster.ts";

const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const VOLUMES = "/api/v1/persistentvolumes";
const CLASSES = "/apis/storage.k8s.io/v1/storageclasses";

let tools: NodeCluster;

beforeEach(async () => {
  tools = new NodeCluster();
  await tools.done(
    tools.admin.post(CLASSES, {
      metadata: { name: "growing" },
      provisioner: "disk.example.com",
      allowVolumeExpansion: true,
    }),
  );
});

afterEach(async () => tools.cluster.close());

async function createClaim(spec: object = {}): Promise<void> {
  const resources = { requests: { storage: "1Gi" } };
  const body = { accessModes: ["ReadWriteOnce"], storageClassName: "growing", resources, ...spec };
  await tools.done(tools.admin.post(CLAIMS, { metadata: { name: "data" }, spec: body }));
}

async function request(storage: string): Promise<void> {
  await tools.done(tools.admin.patch(`${CLAIMS}/data`, { spec: { resources: { requests: { storage } } } }));
}

async function claim(): Promise<PersistentVolumeClaim> {
  return (await tools.admin.get(`${CLAIMS}/data`)).body as unknown as PersistentVolumeClaim;
}

async function volumeSizes(): Promise<readonly (string | undefined)[]> {
  const { items } = (await tools.admin.get(VOLUMES)).body as { readonly items: readonly PersistentVolume[] };
  return items.map(({ spec }) => spec?.capacity?.["storage"]);
}

const USING = { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] };
const TIMES = { lastProbeTime: null, lastTransitionTime: "2026-01-01T00:00:00Z" };
const UNUSED = {
  ...TIMES,
  type: "Unused",
  status: "True",
  reason: "NoPodsUsingPVC",
  message: "No pods are currently referencing this PVC",
};
const USED = {
  ...TIMES,
  type: "Unused",
  status: "False",
  reason: "PodUsingPVC",
  message: "A pod is currently referencing this PVC",
};
const GROWN = "FileSystemResizeSuccessful: MountVolume.NodeExpandVolume succeeded for volume";

describe("a claim that requests more", () => {
  it("gets a larger volume, whose file system grows with the first Pod that uses it", async () => {
    await createClaim();
    await request("2Gi");
    expect(await volumeSizes()).toEqual(["2Gi"]);
    expect((await claim()).status).toEqual({
      accessModes: ["ReadWriteOnce"],
      allocatedResourceStatuses: { storage: "NodeResizePending" },
      allocatedResources: { storage: "2Gi" },
      capacity: { storage: "1Gi" },
      conditions: [
        UNUSED,
        {
          type: "FileSystemResizePending",
          status: "True",
          message: "Waiting for user to (re-)start a pod to finish file system resize of volume on node.",
          lastProbeTime: null,
          lastTransitionTime: "2026-01-01T00:00:00Z",
        },
      ],
      phase: "Bound",
    });
    await tools.createPod("user", USING);
    const { status } = await claim();
    expect(status).toEqual({
      accessModes: ["ReadWriteOnce"],
      allocatedResources: { storage: "2Gi" },
      capacity: { storage: "2Gi" },
      conditions: [USED],
      phase: "Bound",
    });
    const { volumeName = "" } = (await claim()).spec ?? {};
    expect(await tools.events("data")).toEqual(
      expect.arrayContaining([
        "ExternalExpanding: waiting for an external controller to expand this PVC",
        `Resizing: External resizer is resizing volume ${volumeName}`,
        "FileSystemResizeRequired: Require file system resize of volume on node",
        `${GROWN} "${volumeName}" node-0`,
      ]),
    );
    expect(await tools.events("user")).toContain(`${GROWN} "${volumeName}" node-0`);
  });

  it("is expanded at once while a Pod uses it, as often as it requests more", async () => {
    await createClaim();
    await tools.createPod("user", USING);
    for (const size of ["2Gi", "3Gi"]) {
      await request(size);
      expect((await claim()).status).toMatchObject({
        capacity: { storage: size },
        allocatedResources: { storage: size },
      });
      expect((await claim()).status?.conditions).toEqual([USED]);
    }
    expect(await volumeSizes()).toEqual(["3Gi"]);
  });

  it("needs no Pod if its volume is a block device", async () => {
    await createClaim({ volumeMode: "Block" });
    await request("2Gi");
    expect((await claim()).status).toMatchObject({ capacity: { storage: "2Gi" } });
    expect(await tools.events("data")).toContain("VolumeResizeSuccessful: Resize volume succeeded");
  });

  it("waits for others if its volume was not provisioned", async () => {
    const spec = { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/data" } };
    const metadata = { name: "manual" };
    await tools.done(tools.admin.post(VOLUMES, { metadata, spec: { ...spec, storageClassName: "growing" } }));
    await createClaim();
    await request("2Gi");
    await tools.createPod("user", USING);
    expect((await claim()).status).toEqual({
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      conditions: [USED],
      phase: "Bound",
    });
    expect(await tools.events("data")).toEqual([
      "ExternalExpanding: waiting for an external controller to expand this PVC",
    ]);
  });

  it("is refused if its class does not allow it", async () => {
    await createClaim();
    await tools.done(tools.admin.patch(`${CLASSES}/growing`, { allowVolumeExpansion: false }));
    const body = { spec: { resources: { requests: { storage: "2Gi" } } } };
    expect((await tools.admin.patch(`${CLAIMS}/data`, body)).body["message"]).toBe(
      'persistentvolumeclaims "data" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  });
});
