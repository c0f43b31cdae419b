import type { ObjectMeta } from "@kubescaffold/k8s/meta/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";

const APPS = "/apis/apps/v1/namespaces/default";
const CORE = "/api/v1/namespaces/default";
const LABELS = { app: "web" };
const TEMPLATE = { metadata: { labels: LABELS }, spec: { containers: [{ name: "c", image: "busybox:1" }] } };
const SPEC = { replicas: 2, selector: { matchLabels: LABELS }, template: TEMPLATE };

let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(() => {
  cluster = createEmbeddedCluster({ clock: new FakeClock(), workloadSimulation: true });
  admin = requestsOf(cluster.config);
  cluster.server.start();
});

afterEach(async () => cluster.close());

async function create(path: string, body: object): Promise<void> {
  expect(await admin.post(path, body)).toMatchObject({ status: 201 });
  await cluster.server.idle();
}

async function relabel(path: string): Promise<void> {
  await admin.patch(path, { metadata: { labels: { app: "other" } } });
  await cluster.server.idle();
}

async function metadataOf(path: string): Promise<ObjectMeta> {
  return ((await admin.get(path)).body as { readonly metadata: ObjectMeta }).metadata;
}

async function countPods(): Promise<number> {
  return ((await admin.get(`${CORE}/pods`)).body as { readonly items: readonly unknown[] }).items.length;
}

async function createOrphan(): Promise<void> {
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "orphan", labels: LABELS }, spec: TEMPLATE.spec };
  await create(`${CORE}/pods`, pod);
}

describe("controllers and the objects that they own", () => {
  it.each([
    ["ReplicaSet", "apps/v1", `${APPS}/replicasets`, SPEC],
    ["ReplicationController", "v1", `${CORE}/replicationcontrollers`, { ...SPEC, selector: LABELS }],
  ])("a %s adopts a pod with its labels, and replaces it when it has others", async (kind, apiVersion, path, spec) => {
    await createOrphan();
    await create(path, { apiVersion, kind, metadata: { name: "web" }, spec });
    expect((await metadataOf(`${CORE}/pods/orphan`)).ownerReferences).toMatchObject([
      { apiVersion, kind, name: "web", controller: true, blockOwnerDeletion: true },
    ]);
    expect(await countPods()).toBe(2);
    await relabel(`${CORE}/pods/orphan`);
    expect(await metadataOf(`${CORE}/pods/orphan`)).not.toHaveProperty("ownerReferences");
    expect(await countPods()).toBe(3);
  });

  it("a set adopts a pod that gets its labels later, and deletes the excess", async () => {
    await create(`${APPS}/replicasets`, {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: { name: "web" },
      spec: SPEC,
    });
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "late" }, spec: TEMPLATE.spec };
    await create(`${CORE}/pods`, pod);
    expect(await countPods()).toBe(3);
    await admin.patch(`${CORE}/pods/late`, { metadata: { labels: LABELS } });
    await cluster.server.idle();
    expect(await countPods()).toBe(2);
  });

  it("a pod that is being deleted is not adopted", async () => {
    const metadata = { name: "orphan", labels: LABELS, finalizers: ["example.com/hold"] };
    await create(`${CORE}/pods`, { apiVersion: "v1", kind: "Pod", metadata, spec: TEMPLATE.spec });
    await admin.delete(`${CORE}/pods/orphan`);
    await cluster.server.idle();
    await create(`${APPS}/replicasets`, {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: { name: "web" },
      spec: SPEC,
    });
    expect(await metadataOf(`${CORE}/pods/orphan`)).not.toHaveProperty("ownerReferences");
    expect(await countPods()).toBe(3);
  });

  it("a set that is being deleted adopts and releases nothing", async () => {
    const metadata = { name: "web", finalizers: ["example.com/hold"] };
    await create(`${APPS}/replicasets`, { apiVersion: "apps/v1", kind: "ReplicaSet", metadata, spec: SPEC });
    await admin.delete(`${APPS}/replicasets/web?propagationPolicy=Background`);
    await cluster.server.idle();
    await createOrphan();
    expect(await metadataOf(`${CORE}/pods/orphan`)).not.toHaveProperty("ownerReferences");
    const { items } = (await admin.get(`${CORE}/pods`)).body as { readonly items: readonly { metadata: ObjectMeta }[] };
    const owned = items.find((pod) => pod.metadata.ownerReferences !== undefined)?.metadata.name ?? "";
    await relabel(`${CORE}/pods/${owned}`);
    expect(await metadataOf(`${CORE}/pods/${owned}`)).toHaveProperty("ownerReferences");
  });

  it("a deployment adopts a set with its template, and releases one with other labels", async () => {
    const set = { apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { name: "former", labels: LABELS }, spec: SPEC };
    await create(`${APPS}/replicasets`, set);
    await create(`${APPS}/deployments`, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: SPEC,
    });
    const adopted = await metadataOf(`${APPS}/replicasets/former`);
    expect(adopted.ownerReferences).toMatchObject([{ kind: "Deployment", name: "web", controller: true }]);
    expect(adopted.annotations).toMatchObject({ "deployment.kubernetes.io/revision": "1" });
    expect(await countPods()).toBe(2);
    await relabel(`${APPS}/replicasets/former`);
    expect(await metadataOf(`${APPS}/replicasets/former`)).not.toHaveProperty("ownerReferences");
  });
});
