import type { PersistentVolume, PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";

const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const VOLUMES = "/api/v1/persistentvolumes";
const PODS = "/api/v1/namespaces/default/pods";
const CLASSES = "/apis/storage.k8s.io/v1/storageclasses";

let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(() => {
  cluster = createEmbeddedCluster({ workloadSimulation: true });
  admin = requestsOf(cluster.config);
  cluster.server.start();
});

afterEach(async () => cluster.close());

async function createClass(name: string, fields: object = {}, annotations: object = {}): Promise<void> {
  await admin.post(CLASSES, { metadata: { name, annotations }, provisioner: "example.com/disk", ...fields });
}

async function createClaim(name: string, spec: object = {}): Promise<PersistentVolumeClaim> {
  const resources = { requests: { storage: "1Gi" } };
  await admin.post(CLAIMS, { metadata: { name }, spec: { accessModes: ["ReadWriteOnce"], resources, ...spec } });
  return await claimOf(name);
}

async function createPod(): Promise<void> {
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
  await admin.post(PODS, {
    metadata: { name: "user" },
    spec: { containers: [{ name: "c", image: "busybox:1" }], volumes },
  });
}

async function claimOf(name: string): Promise<PersistentVolumeClaim> {
  await cluster.server.idle();
  return (await admin.get(`${CLAIMS}/${name}`)).body as unknown as PersistentVolumeClaim;
}

async function volumes(): Promise<readonly PersistentVolume[]> {
  await cluster.server.idle();
  return (await admin.get(VOLUMES)).body["items"] as readonly PersistentVolume[];
}

describe("the simulated provisioner", () => {
  it("creates a volume for a claim of a class, and deletes it with the claim", async () => {
    await createClass("fast", { mountOptions: ["ro"] });
    const claim = await createClaim("data", { storageClassName: "fast" });
    const [volume] = await volumes();
    expect([claim.status?.phase, claim.spec?.volumeName]).toEqual(["Bound", `pvc-${claim.metadata.uid ?? ""}`]);
    expect(volume).toMatchObject({
      metadata: {
        name: claim.spec?.volumeName,
        annotations: { "pv.kubernetes.io/provisioned-by": "example.com/disk" },
        finalizers: ["kubernetes.io/pv-protection"],
      },
      spec: {
        capacity: { storage: "1Gi" },
        hostPath: { path: `/var/lib/volumes/${volume?.metadata.name ?? ""}` },
        mountOptions: ["ro"],
        persistentVolumeReclaimPolicy: "Delete",
        storageClassName: "fast",
      },
      status: { phase: "Bound" },
    });
    await admin.delete(`${CLAIMS}/data`);
    expect(await volumes()).toEqual([]);
  });

  it("keeps released volumes of classes that retain them", async () => {
    await createClass("kept", { reclaimPolicy: "Retain" });
    await createClaim("data", { storageClassName: "kept" });
    await admin.delete(`${CLAIMS}/data`);
    expect((await volumes()).map(({ status }) => status?.phase)).toEqual(["Released"]);
  });

  it("waits for the first Pod on a node if the class does, and uses its node", async () => {
    await createClass("local", { volumeBindingMode: "WaitForFirstConsumer" });
    const waiting = await createClaim("data", { storageClassName: "local" });
    expect([waiting.status?.phase, await volumes()]).toEqual(["Pending", []]);
    await createPod();
    const bound = await claimOf("data");
    expect([bound.status?.phase, bound.metadata.annotations?.["volume.kubernetes.io/selected-node"]]).toEqual([
      "Bound",
      "node-0",
    ]);
    const [volume] = await volumes();
    expect(volume?.spec?.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions?.[0]?.values).toEqual([
      "node-0",
    ]);
  });

  it("binds volumes of administrators once a Pod uses the claim, and creates none for their classes", async () => {
    await createClass("manual", {
      provisioner: "kubernetes.io/no-provisioner",
      volumeBindingMode: "WaitForFirstConsumer",
    });
    await createClaim("data", { storageClassName: "manual" });
    await createPod();
    expect([(await claimOf("data")).status?.phase, await volumes()]).toEqual(["Pending", []]);
    for (const [name, modes] of [
      ["other", ["ReadOnlyMany"]],
      ["right", ["ReadWriteOnce"]],
    ] as const) {
      const spec = {
        accessModes: modes,
        capacity: { storage: "1Gi" },
        storageClassName: "manual",
        hostPath: { path: "/d" },
      };
      await admin.post(VOLUMES, { metadata: { name }, spec });
    }
    expect((await claimOf("data")).spec?.volumeName).toBe("right");
  });

  it("uses the default class, also for claims that are older", async () => {
    const pending = await createClaim("data");
    expect([pending.status?.phase, pending.spec?.storageClassName]).toEqual(["Pending", undefined]);
    await createClass("standard", {}, { "storageclass.kubernetes.io/is-default-class": "true" });
    const bound = await claimOf("data");
    expect([bound.status?.phase, bound.spec?.storageClassName]).toEqual(["Bound", "standard"]);
  });

  it("binds the claims of StatefulSets", async () => {
    await createClass("fast");
    const claims = [
      {
        metadata: { name: "data" },
        spec: { storageClassName: "fast", accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      },
    ];
    await admin.post("/apis/apps/v1/namespaces/default/statefulsets", {
      metadata: { name: "db" },
      spec: {
        replicas: 2,
        serviceName: "db",
        selector: { matchLabels: { app: "db" } },
        volumeClaimTemplates: claims,
        template: { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "c", image: "db:1" }] } },
      },
    });
    expect((await volumes()).map(({ status }) => status?.phase)).toEqual(["Bound", "Bound"]);
  });

  it("does not run without simulated workloads: claims ask for a volume, and wait", async () => {
    const other = createEmbeddedCluster();
    const requests = requestsOf(other.config);
    other.server.start();
    try {
      await requests.post(CLASSES, { metadata: { name: "fast" }, provisioner: "example.com/disk" });
      const spec = {
        storageClassName: "fast",
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
      };
      await requests.post(CLAIMS, { metadata: { name: "data" }, spec });
      await other.server.idle();
      const { metadata, status } = (await requests.get(`${CLAIMS}/data`)).body as unknown as PersistentVolumeClaim;
      expect([status?.phase, metadata.annotations?.["volume.kubernetes.io/storage-provisioner"]]).toEqual([
        "Pending",
        "example.com/disk",
      ]);
    } finally {
      await other.close();
    }
  });
});
