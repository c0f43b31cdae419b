import type { PersistentVolume, PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { NodeCluster, NODES, PODS, requesting } from "../controllers/nodes/node-cluster.ts";

const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const VOLUMES = "/api/v1/persistentvolumes";
const CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
const SELECTED_NODE = "volume.kubernetes.io/selected-node";
const PRE_BIND = 'running PreBind plugin "VolumeBinding": binding volumes:';
const USING_DATA = { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] };

let tools: NodeCluster;

beforeEach(async () => {
  tools = new NodeCluster();
  await tools.done(tools.admin.delete(`${NODES}/node-0`));
  await tools.createNode("a", { resources: { cpu: "2", pods: "10" } });
});

afterEach(async () => tools.cluster.close());

async function createClaim(provisioner = "disk.example.com"): Promise<void> {
  const volumeBindingMode = "WaitForFirstConsumer";
  await tools.done(tools.admin.post(CLASSES, { metadata: { name: "late" }, provisioner, volumeBindingMode }));
  const resources = { requests: { storage: "1Gi" } };
  const spec = { accessModes: ["ReadWriteOnce"], storageClassName: "late", resources };
  await tools.done(tools.admin.post(CLAIMS, { metadata: { name: "data" }, spec }));
}

// Provisioners retry, and fail, until the returned function is called.
async function forbidVolumes(): Promise<() => Promise<void>> {
  return await forbid("CREATE", "persistentvolumes", "false");
}

async function forbid(operation: string, resource: string, expression: string): Promise<() => Promise<void>> {
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: [operation], resources: [resource] };
  const binding = `${ADMISSION}/validatingadmissionpolicybindings`;
  const metadata = { name: "forbidden" };
  const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression }] };
  await tools.done(tools.admin.post(`${ADMISSION}/validatingadmissionpolicies`, { metadata, spec }));
  const bound = { policyName: "forbidden", validationActions: ["Deny"] };
  await tools.done(tools.admin.post(binding, { metadata, spec: bound }));
  return async () => {
    await tools.done(tools.admin.delete(`${binding}/forbidden`));
  };
}

async function createVolume(name: string, storage: string): Promise<void> {
  const accessModes = ["ReadWriteOnce"];
  const spec = { accessModes, capacity: { storage }, storageClassName: "late", hostPath: { path: "/d" } };
  await tools.done(tools.admin.post(VOLUMES, { metadata: { name }, spec }));
}

async function volume(name: string): Promise<PersistentVolume> {
  return (await tools.admin.get(`${VOLUMES}/${name}`)).body as unknown as PersistentVolume;
}

async function claim(name: string = "data"): Promise<PersistentVolumeClaim> {
  return (await tools.admin.get(`${CLAIMS}/${name}`)).body as unknown as PersistentVolumeClaim;
}

async function annotate(annotations: object): Promise<void> {
  await tools.done(tools.admin.patch(`${CLAIMS}/data`, { metadata: { annotations } }));
}

async function nominated(): Promise<readonly (string | undefined)[]> {
  const { spec, status } = await tools.pod("p");
  return [spec?.nodeName, status?.nominatedNodeName];
}

describe("a pod whose new volumes are not created yet", () => {
  it("is nominated for its node, and bound to it when they are", async () => {
    const allow = await forbidVolumes();
    await createClaim();
    await tools.createPod("p", USING_DATA);
    expect(await nominated()).toEqual([undefined, "a"]);
    expect((await claim()).metadata.annotations).toMatchObject({ [SELECTED_NODE]: "a" });
    expect((await claim()).status?.phase).toBe("Pending");
    await allow();
    await tools.advance(10);
    expect((await claim()).status?.phase).toBe("Bound");
    expect(await nominated()).toEqual(["a", undefined]);
    expect((await tools.events("p")).filter((event) => event.includes("Scheduled"))).toEqual([
      "Scheduled: Successfully assigned default/p to a",
    ]);
  });

  it("shares them with other pods on its node", async () => {
    const allow = await forbidVolumes();
    await createClaim();
    await tools.createPod("p", USING_DATA);
    await tools.createNode("b");
    await tools.createPod("q", USING_DATA);
    expect((await tools.pod("q")).status?.nominatedNodeName).toBe("a");
    await allow();
    await tools.advance(10);
    expect([await tools.nodeOf("p"), await tools.nodeOf("q")]).toEqual(["a", "a"]);
  });

  it("has its room on the node, until it is deleted", async () => {
    await forbidVolumes();
    await createClaim();
    await tools.createPod("p", { ...USING_DATA, ...requesting({ cpu: "1500m" }) });
    await tools.createPod("q", requesting({ cpu: "1" }));
    expect(await tools.conditionOf("q", "PodScheduled")).toContain("1 Insufficient cpu");
    await tools.done(tools.admin.delete(`${PODS}/p`));
    expect(await tools.nodeOf("q")).toBe("a");
    expect(await tools.events("p")).toContain(
      `FailedScheduling: ${PRE_BIND} pod does not exist any more: pod "p" not found`,
    );
  });

  it("is tried again when the provisioner gives the node up, or takes longer than ten minutes", async () => {
    await forbidVolumes();
    await createClaim();
    await tools.createPod("p", USING_DATA);
    await annotate({ [SELECTED_NODE]: null });
    expect(await tools.conditionOf("p", "PodScheduled")).toBe(
      `False SchedulerError ${PRE_BIND} provisioning failed for PVC "data"`,
    );
    expect(await nominated()).toEqual([undefined, undefined]);
    await tools.advance(1);
    expect(await nominated()).toEqual([undefined, "a"]);
    expect((await claim()).metadata.annotations?.[SELECTED_NODE]).toBe("a");
    await tools.advance(599);
    expect(await tools.conditionOf("p", "PodScheduled")).toContain("provisioning failed");
    await tools.advance(1);
    expect(await tools.conditionOf("p", "PodScheduled")).toBe(
      `False SchedulerError ${PRE_BIND} context deadline exceeded`,
    );
  });

  it("moves to another node when its node is gone", async () => {
    const allow = await forbidVolumes();
    await createClaim();
    await tools.createPod("p", USING_DATA);
    await tools.createNode("b");
    await tools.done(tools.admin.delete(`${NODES}/a`));
    expect(await tools.events("p")).toContain(
      `FailedScheduling: ${PRE_BIND} failed to get node "a": node "a" not found`,
    );
    await allow();
    await tools.advance(10);
    expect(await nominated()).toEqual(["b", undefined]);
    expect(await tools.events("data")).toContain('ProvisioningFailed: node "a" not found');
  });
});

describe("a pod that gets volumes of an administrator", () => {
  it("reserves them, and is bound when its claims are", async () => {
    const allow = await forbid("UPDATE", "persistentvolumeclaims", "!has(object.spec.volumeName)");
    await createClaim("kubernetes.io/no-provisioner");
    await createVolume("disk", "1Gi");
    await tools.createPod("p", USING_DATA);
    const { claimRef } = (await volume("disk")).spec ?? {};
    expect([claimRef?.name, claimRef?.uid]).toEqual(["data", (await claim()).metadata.uid]);
    expect(await nominated()).toEqual([undefined, "a"]);
    await allow();
    await tools.advance(10);
    expect((await claim()).spec?.volumeName).toBe("disk");
    expect(await nominated()).toEqual(["a", undefined]);
  });

  it("leaves no volume that it reserved to others", async () => {
    await forbid("UPDATE", "persistentvolumeclaims", "!has(object.spec.volumeName)");
    await createClaim("kubernetes.io/no-provisioner");
    const { spec } = await claim();
    await tools.done(tools.admin.post(CLAIMS, { metadata: { name: "other" }, spec }));
    await createVolume("disk", "1Gi");
    await tools.createPod("p", USING_DATA);
    await tools.createPod("q", { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "other" } }] });
    expect(await nominated()).toEqual([undefined, "a"]);
    expect(await tools.conditionOf("q", "PodScheduled")).toContain("didn't find available persistent volumes");
  });

  it("is tried again when it loses a volume", async () => {
    await forbid("UPDATE", "persistentvolumeclaims", "!has(object.spec.volumeName)");
    await createClaim("kubernetes.io/no-provisioner");
    await createVolume("disk", "1Gi");
    await tools.createPod("p", USING_DATA);
    await tools.done(tools.admin.patch(`${VOLUMES}/disk`, { spec: { claimRef: null } }));
    expect(await tools.conditionOf("p", "PodScheduled")).toBe(
      `False SchedulerError ${PRE_BIND} ClaimRef got reset for pv "disk"`,
    );
    await tools.advance(1);
    expect((await volume("disk")).spec?.claimRef?.name).toBe("data");
  });

  it("gets the smallest volume for its smallest claim", async () => {
    await createClaim("kubernetes.io/no-provisioner");
    const resources = { requests: { storage: "5Gi" } };
    const spec = { accessModes: ["ReadWriteOnce"], storageClassName: "late", resources };
    await tools.done(tools.admin.post(CLAIMS, { metadata: { name: "more" }, spec }));
    await createVolume("large", "9Gi");
    await createVolume("small", "5Gi");
    const more = { name: "more", persistentVolumeClaim: { claimName: "more" } };
    await tools.createPod("p", { volumes: [more, ...USING_DATA.volumes] });
    expect([(await claim("data")).spec?.volumeName, (await claim("more")).spec?.volumeName]).toEqual([
      "small",
      "large",
    ]);
  });
});

describe("a pod that no node can run because of its claims", () => {
  it("waits for the node that is selected for its claim", async () => {
    const allow = await forbidVolumes();
    await tools.createNode("b");
    await createClaim();
    await annotate({ [SELECTED_NODE]: "b" });
    await tools.createPod("p", { ...USING_DATA, nodeSelector: { "kubernetes.io/hostname": "a" } });
    expect(await tools.conditionOf("p", "PodScheduled")).toContain(
      "0/2 nodes are available: 1 node(s) didn't find available persistent volumes to bind, 1 node(s) didn't match Pod's node affinity/selector.",
    );
    await annotate({ [SELECTED_NODE]: null });
    await allow();
    await tools.advance(10);
    expect(await tools.nodeOf("p")).toBe("a");
  });

  it("does not get a volume that is gone", async () => {
    await createClaim();
    await tools.createPod("p", USING_DATA);
    const { volumeName = "" } = (await claim()).spec ?? {};
    const path = `${VOLUMES}/${volumeName}`;
    await tools.done(tools.admin.delete(path));
    await tools.done(tools.admin.patch(path, { metadata: { finalizers: null } }));
    await tools.createPod("q", USING_DATA);
    expect(await tools.conditionOf("q", "PodScheduled")).toContain(
      `0/1 nodes are available: persistentvolumeclaim "data" bound to non-existent persistentvolume "${volumeName}".`,
    );
  });
});
