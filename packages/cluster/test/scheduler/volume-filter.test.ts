import type { PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { NodeCluster, NODES, PODS } from "../controllers/nodes/node-cluster.ts";

const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const VOLUMES = "/api/v1/persistentvolumes";
const STORAGE = "/apis/storage.k8s.io/v1";
const CLASSES = `${STORAGE}/storageclasses`;
const CAPACITIES = `${STORAGE}/namespaces/default/csistoragecapacities`;
const ZONE = "topology.kubernetes.io/zone";
const WRONG_NODE = "node(s) didn't match PersistentVolume's node affinity";
const NO_VOLUME = "node(s) didn't find available persistent volumes to bind";

let tools: NodeCluster;

beforeEach(async () => {
  tools = new NodeCluster();
  await tools.done(tools.admin.delete(`${NODES}/node-0`));
  for (const zone of ["a", "b"]) await tools.createNode(zone, { labels: { [ZONE]: zone } });
});

afterEach(async () => tools.cluster.close());

async function createClass(name: string, fields: object = {}): Promise<void> {
  const body = { metadata: { name }, provisioner: "kubernetes.io/no-provisioner", ...fields };
  await tools.done(tools.admin.post(CLASSES, body));
}

async function createVolume(name: string, zone: string, spec: object = {}): Promise<void> {
  const expression = { key: ZONE, operator: "In", values: [zone] };
  const body = {
    accessModes: ["ReadWriteOnce"],
    capacity: { storage: "1Gi" },
    storageClassName: "local",
    local: { path: "/data" },
    nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } },
    ...spec,
  };
  await tools.done(tools.admin.post(VOLUMES, { metadata: { name }, spec: body }));
}

async function createClaim(name: string, storageClassName = "local"): Promise<void> {
  const resources = { requests: { storage: "1Gi" } };
  const spec = { accessModes: ["ReadWriteOnce"], storageClassName, resources };
  await tools.done(tools.admin.post(CLAIMS, { metadata: { name }, spec }));
}

async function volumeOf(claim: string): Promise<string | undefined> {
  return ((await tools.admin.get(`${CLAIMS}/${claim}`)).body as unknown as PersistentVolumeClaim).spec?.volumeName;
}

function using(...claims: readonly string[]): object {
  return { volumes: claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })) };
}

async function problemOf(pod: string): Promise<string> {
  return (await tools.conditionOf(pod, "PodScheduled")) ?? "";
}

describe("a pod whose claims are bound", () => {
  it("runs on a node that its volumes reach", async () => {
    await createClass("local");
    await createVolume("in-b", "b");
    await createClaim("data");
    await tools.createPod("p", using("data"));
    expect(await tools.nodeOf("p")).toBe("b");
  });

  it("waits if its volumes are on different nodes, until one of them is gone", async () => {
    await createClass("local");
    for (const zone of ["a", "b"]) {
      await createVolume(`in-${zone}`, zone);
      await createClaim(`data-${zone}`);
    }
    await tools.createPod("p", using("data-a", "data-b"));
    expect(await problemOf("p")).toContain(`0/2 nodes are available: 2 ${WRONG_NODE}.`);
    await tools.done(tools.admin.delete(`${PODS}/p`));
    await tools.createPod("p", using("data-a"));
    expect(await tools.nodeOf("p")).toBe("a");
  });
});

describe("a pod whose claims are not bound", () => {
  it("waits for claims that are bound at once", async () => {
    await createClass("local");
    await createClaim("data");
    await tools.createPod("p", using("data"));
    expect(await problemOf("p")).toBe(
      "False Unschedulable 0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found",
    );
    await createVolume("in-a", "a");
    expect(await tools.nodeOf("p")).toBe("a");
  });

  it("waits for claims whose class does not exist, until it does", async () => {
    await createClaim("data", "late");
    await tools.createPod("p", using("data"));
    expect(await problemOf("p")).toContain(
      "0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.",
    );
    await createClass("late", { provisioner: "disk.example.com" });
    expect(await tools.nodeOf("p")).toBeDefined();
    expect(await volumeOf("data")).toMatch(/^pvc-/u);
  });

  it("waits for claims without a class, until a volume without one is free", async () => {
    await createClaim("data", "");
    await tools.createPod("p", using("data"));
    expect(await problemOf("p")).toContain("pod has unbound immediate PersistentVolumeClaims");
    await createVolume("classless", "b", { storageClassName: "" });
    expect(await tools.nodeOf("p")).toBe("b");
  });

  it("runs where a volume is available for claims that wait for it, which get this volume", async () => {
    await createClass("local", { volumeBindingMode: "WaitForFirstConsumer" });
    await createClaim("data");
    await tools.createPod("p", using("data"));
    expect(await problemOf("p")).toContain(`0/2 nodes are available: 2 ${NO_VOLUME}.`);
    await createVolume("small", "a", { capacity: { storage: "1Mi" } });
    expect(await tools.nodeOf("p")).toBeUndefined();
    await createVolume("in-b", "b");
    expect([await tools.nodeOf("p"), await volumeOf("data")]).toEqual(["b", "in-b"]);
  });

  it("needs a volume for each of its claims on one node", async () => {
    await createClass("local", { volumeBindingMode: "WaitForFirstConsumer" });
    for (const name of ["data", "logs"]) await createClaim(name);
    for (const zone of ["a", "b"]) await createVolume(`in-${zone}`, zone);
    await tools.createPod("p", using("data", "logs"));
    expect(await problemOf("p")).toContain(`2 ${NO_VOLUME}`);
    await createVolume("also-in-a", "a");
    expect(await tools.nodeOf("p")).toBe("a");
    expect(new Set([await volumeOf("data"), await volumeOf("logs")])).toEqual(new Set(["also-in-a", "in-a"]));
  });

  it("runs where the class of its claims allows new volumes", async () => {
    const allowedTopologies = [{ matchLabelExpressions: [{ key: ZONE, values: ["b", "c"] }] }];
    await createClass("zonal", {
      provisioner: "disk.example.com",
      volumeBindingMode: "WaitForFirstConsumer",
      allowedTopologies,
    });
    await createClaim("data", "zonal");
    await tools.createPod("p", using("data"));
    expect(await tools.nodeOf("p")).toBe("b");
    await createClaim("more", "zonal");
    await tools.createPod("q", { ...using("more"), nodeSelector: { [ZONE]: "a" } });
    expect(await problemOf("q")).toContain(
      `0/2 nodes are available: 1 ${NO_VOLUME}, 1 node(s) didn't match Pod's node affinity/selector.`,
    );
  });

  it("runs where the driver of its claims has room, if the driver publishes that", async () => {
    const driver = "disk.example.com";
    await tools.done(
      tools.admin.post(`${STORAGE}/csidrivers`, { metadata: { name: driver }, spec: { storageCapacity: true } }),
    );
    await createClass("sized", { provisioner: driver, volumeBindingMode: "WaitForFirstConsumer" });
    await createClaim("data", "sized");
    await tools.createPod("p", using("data"));
    expect(await problemOf("p")).toContain(
      "0/2 nodes are available: 2 node(s) did not have enough free storage. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
    );
    const inB = { storageClassName: "sized", nodeTopology: { matchLabels: { [ZONE]: "b" } } };
    for (const [name, fields] of Object.entries({
      "without-topology": { storageClassName: "sized", capacity: "9Gi" },
      "for-another-class": { ...inB, storageClassName: "other", capacity: "9Gi" },
      "without-capacity": inB,
      "too-small": { ...inB, capacity: "9Gi", maximumVolumeSize: "1023Mi" },
    })) {
      await tools.done(tools.admin.post(CAPACITIES, { metadata: { name }, ...fields }));
    }
    expect(await tools.nodeOf("p")).toBeUndefined();
    await tools.done(tools.admin.patch(`${CAPACITIES}/too-small`, { maximumVolumeSize: "1Gi" }));
    expect(await tools.nodeOf("p")).toBe("b");
  });
});
