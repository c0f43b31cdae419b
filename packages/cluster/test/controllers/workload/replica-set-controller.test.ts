import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { startReviewServer } from "../../../../apiserver/test/admission/webhooks/review-server.ts";
import { requestsOf, type Requests } from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";

const SETS = "/apis/apps/v1/namespaces/default/replicasets";
const PODS = "/api/v1/namespaces/default/pods";
const LABELS = { app: "web" };

let clock: FakeClock;
let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(() => {
  clock = new FakeClock();
  cluster = createEmbeddedCluster({ clock, workloadSimulation: true });
  admin = requestsOf(cluster.config);
  cluster.server.start();
});

afterEach(async () => cluster.close());

async function createSet(replicas: number, more: object = {}): Promise<void> {
  const template = { metadata: { labels: LABELS }, spec: { containers: [{ name: "c", image: "busybox:1" }] } };
  const spec = { replicas, selector: { matchLabels: LABELS }, template, ...more };
  const set = { apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { name: "web" }, spec };
  expect(await admin.post(SETS, set)).toMatchObject({ status: 201 });
  await cluster.server.idle();
}

async function podNames(): Promise<readonly string[]> {
  const { items } = (await admin.get(PODS)).body as {
    readonly items: readonly { readonly metadata: { readonly name: string } }[];
  };
  return items.map(({ metadata }) => metadata.name);
}

describe("the replica set controller", () => {
  it("keeps as many pods as are wanted", async () => {
    await createSet(2);
    const [first = "", second] = await podNames();
    await admin.delete(`${PODS}/${first}`);
    await cluster.server.idle();
    const after = await podNames();
    expect(after).toHaveLength(2);
    expect(after).toContain(second);
    expect(after).not.toContain(first);
    await admin.patch(`${SETS}/web`, { spec: { replicas: 1 } });
    await cluster.server.idle();
    expect(await podNames()).toHaveLength(1);
    expect(await admin.get(`${SETS}/web`)).toMatchObject({
      body: { status: { replicas: 1, readyReplicas: 1, observedGeneration: 2 } },
    });
  });

  it("counts a pod as available when it has been ready for long enough", async () => {
    await createSet(1, { minReadySeconds: 30 });
    const { status } = (await admin.get(`${SETS}/web`)).body as { readonly status: object };
    expect(status).toMatchObject({ readyReplicas: 1 });
    expect(status).not.toHaveProperty("availableReplicas");
    clock.step(30_000);
    await cluster.server.idle();
    expect(await admin.get(`${SETS}/web`)).toMatchObject({ body: { status: { availableReplicas: 1 } } });
  });

  it("says why pods cannot be made, tries again, and forgets it", async () => {
    let isOpen = false;
    const server = await startReviewServer(() => ({ allowed: isOpen, status: { message: "closed", code: 403 } }));
    await admin.post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "pods" },
      webhooks: [
        {
          name: "pods.example.com",
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }],
          clientConfig: { url: server.url, caBundle: server.caBundle },
        },
      ],
    });
    await createSet(1);
    const message = 'admission webhook "pods.example.com" denied the request: closed';
    expect(await admin.get(`${SETS}/web`)).toMatchObject({
      body: {
        status: {
          replicas: 0,
          conditions: [{ type: "ReplicaFailure", status: "True", reason: "FailedCreate", message }],
        },
      },
    });
    isOpen = true;
    clock.step(20_000);
    await cluster.server.idle();
    const { status } = (await admin.get(`${SETS}/web`)).body as { readonly status: object };
    expect(status).toMatchObject({ replicas: 1, readyReplicas: 1 });
    expect(status).not.toHaveProperty("conditions");
    await server.close();
  });
});
