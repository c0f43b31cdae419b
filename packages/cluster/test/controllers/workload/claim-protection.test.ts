import type { PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";

const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const PODS = "/api/v1/namespaces/default/pods";
const CLAIM_SPEC = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };

let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(() => {
  cluster = createEmbeddedCluster({ workloadSimulation: true });
  admin = requestsOf(cluster.config);
  cluster.server.start();
});

afterEach(async () => cluster.close());

// Without it, the pod waits for its claim.
async function createDefaultClass(): Promise<void> {
  const metadata = { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } };
  await admin.post("/apis/storage.k8s.io/v1/storageclasses", { metadata, provisioner: "disk.example.com" });
}

async function createClaim(name: string, metadata: object = {}): Promise<void> {
  await admin.post(CLAIMS, { metadata: { name, ...metadata }, spec: CLAIM_SPEC });
}

/** Creates the pod `user` with a volume. */
async function createPod(volume: object, spec: object = {}): Promise<string> {
  const answer = await admin.post(PODS, {
    metadata: { name: "user" },
    spec: { containers: [{ name: "c", image: "busybox:1" }], volumes: [volume], ...spec },
  });
  await cluster.server.idle();
  return (answer.body as { readonly metadata: { readonly uid: string } }).metadata.uid;
}

async function remove(path: string): Promise<void> {
  await admin.delete(path);
  await cluster.server.idle();
}

async function statusOf(claim: string): Promise<number> {
  return (await admin.get(`${CLAIMS}/${claim}`)).status;
}

async function ownerOf(claim: string): Promise<string | undefined> {
  const { metadata } = (await admin.get(`${CLAIMS}/${claim}`)).body as unknown as PersistentVolumeClaim;
  return metadata.ownerReferences?.[0]?.uid;
}

describe("the protection of claims", () => {
  it("keeps a deleted claim until the pod is gone that uses it", async () => {
    await createDefaultClass();
    await createClaim("data");
    await createPod({ name: "data", persistentVolumeClaim: { claimName: "data" } });
    await remove(`${CLAIMS}/data`);
    expect(await statusOf("data")).toBe(200);
    await remove(`${PODS}/user`);
    expect(await statusOf("data")).toBe(404);
  });

  it("lets a deleted claim go that no pod uses, or only one without a node", async () => {
    await createClaim("data");
    await createPod({ name: "data", persistentVolumeClaim: { claimName: "data" } }, { schedulerName: "manual" });
    await remove(`${CLAIMS}/data`);
    expect(await statusOf("data")).toBe(404);
  });

  it("keeps the claim of an ephemeral volume, but not one of its name that the pod does not own", async () => {
    const volume = { name: "scratch", ephemeral: { volumeClaimTemplate: { spec: CLAIM_SPEC } } };
    await createDefaultClass();
    const owner = await createPod(volume);
    expect(await ownerOf("user-scratch")).toBe(owner);
    await remove(`${CLAIMS}/user-scratch`);
    expect(await statusOf("user-scratch")).toBe(200);
    await remove(`${PODS}/user`);
    expect(await statusOf("user-scratch")).toBe(404);
    await createClaim("user-scratch");
    const other = await createPod(volume, { nodeName: "node-0" });
    expect(await ownerOf("user-scratch")).toBeUndefined();
    await remove(`${CLAIMS}/user-scratch`);
    // The claim of the pod takes its place.
    expect(await ownerOf("user-scratch")).toBe(other);
  });
});
