import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { startReviewServer } from "../../../../../apiserver/test/admission/webhooks/review-server.ts";
import { PODS, SETS, StatefulSetCluster } from "./stateful-set-fixtures.ts";

const created = (name: string): string => `Normal SuccessfulCreate: Create Pod ${name} in StatefulSet web successful`;
const deleted = (name: string): string => `Normal SuccessfulDelete: Delete Pod ${name} in StatefulSet web successful`;

let test: StatefulSetCluster;

beforeEach(() => {
  test = new StatefulSetCluster();
});

afterEach(async () => test.cluster.close());

describe("the stateful set controller", () => {
  it("runs pods with a name, a host name, and labels of their place", async () => {
    await test.createSet({ ordinals: { start: 3 } });
    const revision = (await test.revisions())[0]?.metadata.name;
    expect(await test.podNames()).toEqual(["web-3", "web-4"]);
    const [pod] = await test.pods();
    expect(pod).toMatchObject({
      metadata: {
        generateName: "web-",
        labels: {
          app: "web",
          "apps.kubernetes.io/pod-index": "3",
          "statefulset.kubernetes.io/pod-name": "web-3",
          "controller-revision-hash": revision,
        },
        ownerReferences: [{ kind: "StatefulSet", name: "web", controller: true, blockOwnerDeletion: true }],
      },
      spec: { hostname: "web-3", subdomain: "web" },
      status: { phase: "Running" },
    });
    expect(await test.status()).toEqual({
      observedGeneration: 1,
      replicas: 2,
      readyReplicas: 2,
      currentReplicas: 2,
      updatedReplicas: 2,
      availableReplicas: 2,
      currentRevision: revision,
      updateRevision: revision,
      collisionCount: 0,
    });
    expect(await test.events()).toEqual([created("web-3"), created("web-4")]);
  });

  it("creates a pod when those before it are ready", async () => {
    await test.createSet({ replicas: 3 }, { isManual: true });
    expect(await test.podNames()).toEqual(["web-0"]);
    expect(await test.status()).toMatchObject({ replicas: 1, availableReplicas: 0 });
    await test.report("web-0", "Running", false);
    expect(await test.podNames()).toEqual(["web-0"]);
    await test.report("web-0", "Running");
    expect(await test.podNames()).toEqual(["web-0", "web-1"]);
    await test.report("web-1", "Running");
    expect(await test.podNames()).toEqual(["web-0", "web-1", "web-2"]);
    expect(await test.status()).toMatchObject({ replicas: 3, readyReplicas: 2, availableReplicas: 2 });
  });

  it("creates and deletes all pods at once when they are managed in parallel", async () => {
    await test.createSet({ replicas: 4, podManagementPolicy: "Parallel" }, { isManual: true });
    expect(await test.podNames()).toEqual(["web-0", "web-1", "web-2", "web-3"]);
    await test.patchSet({ spec: { replicas: 1 } });
    expect(await test.podNames()).toEqual(["web-0"]);
  });

  it("deletes the pod of the highest ordinal first, and waits for the others to be ready", async () => {
    await test.createSet({ replicas: 3 });
    const order: (string | undefined)[] = [];
    test.cluster.server.context.objects.observe({ group: "", resource: "pods" }, ({ kind, object }) => {
      if (kind === "deleted") order.push(object.metadata.name);
    });
    await test.patchSet({ spec: { replicas: 0 } });
    expect(order).toEqual(["web-2", "web-1", "web-0"]);
    expect(await test.status()).toMatchObject({ replicas: 0, availableReplicas: 0, observedGeneration: 2 });
    expect(await test.status()).not.toHaveProperty("readyReplicas");
    expect(await test.events()).toEqual(
      ["web-0", "web-1", "web-2"].flatMap((name) => [created(name), deleted(name)]).toSorted(),
    );
  });

  it("does not scale down while a pod that stays, or one below it that goes, is not ready", async () => {
    await test.createSet({ replicas: 3 }, { isManual: true });
    for (const name of ["web-0", "web-1", "web-2"]) await test.report(name, "Running");
    await test.report("web-0", "Running", false);
    await test.patchSet({ spec: { replicas: 1 } });
    expect(await test.podNames()).toEqual(["web-0", "web-1", "web-2"]);
    await test.report("web-1", "Running", false);
    await test.report("web-2", "Running", false);
    await test.report("web-0", "Running");
    expect(await test.podNames()).toEqual(["web-0", "web-1", "web-2"]);
    await test.report("web-2", "Running");
    expect(await test.podNames()).toEqual(["web-0"]);
  });

  it.each(["Failed", "Succeeded"] as const)(
    "replaces a pod whose phase is %s by one of the same name",
    async (phase) => {
      await test.createSet({ replicas: 1 }, { isManual: true });
      const [former] = await test.pods();
      await test.report("web-0", phase);
      const [pod] = await test.pods();
      expect(pod?.metadata.name).toBe("web-0");
      expect(pod?.metadata.uid).not.toBe(former?.metadata.uid);
      expect(pod?.status?.phase).toBe("Pending");
      expect(await test.events()).toEqual([created("web-0"), created("web-0"), deleted("web-0")]);
    },
  );

  it("counts a pod as available when it has been ready for minReadySeconds", async () => {
    await test.createSet({ minReadySeconds: 10 });
    expect(await test.status()).toMatchObject({ replicas: 1, readyReplicas: 1, availableReplicas: 0 });
    await test.advance(9);
    expect(await test.podNames()).toEqual(["web-0"]);
    await test.advance(1);
    expect(await test.podNames()).toEqual(["web-0", "web-1"]);
    expect(await test.status()).toMatchObject({ readyReplicas: 2, availableReplicas: 1 });
    await test.advance(10);
    expect(await test.status()).toMatchObject({ readyReplicas: 2, availableReplicas: 2 });
  });

  it("lets a pod go whose labels no longer match, and takes one that matches", async () => {
    await test.createSet({ replicas: 1 });
    await test.patchSet({ spec: { replicas: 0 } });
    const labels = { app: "web" };
    const spec = { containers: [{ name: "c", image: "busybox:1" }] };
    await test.admin.post(PODS, { apiVersion: "v1", kind: "Pod", metadata: { name: "web-0", labels }, spec });
    await test.admin.post(PODS, { apiVersion: "v1", kind: "Pod", metadata: { name: "other-0", labels }, spec });
    await test.settle();
    expect(await test.podNames()).toEqual(["other-0"]);
    await test.patchSet({ spec: { replicas: 2 } });
    await test.admin.patch(`${PODS}/web-1`, { metadata: { labels: { app: "other" } } });
    await test.settle();
    expect((await test.pods()).find(({ metadata }) => metadata.name === "web-1")?.metadata).not.toHaveProperty(
      "ownerReferences",
    );
    expect(await test.status()).toMatchObject({ replicas: 1 });
    await test.admin.patch(`${PODS}/web-1`, { metadata: { labels: { app: "web" } } });
    await test.settle();
    expect(await test.status()).toMatchObject({ replicas: 2, readyReplicas: 2 });
  });

  it("gives a pod its label back", async () => {
    await test.createSet({ replicas: 1 });
    const name = "statefulset.kubernetes.io/pod-name";
    await test.admin.patch(`${PODS}/web-0`, { metadata: { labels: { [name]: null } } });
    await test.settle();
    expect((await test.pods())[0]?.metadata.labels).toMatchObject({ [name]: "web-0" });
    expect(await test.events()).toContain("Normal SuccessfulUpdate: Update Pod web-0 in StatefulSet web successful");
  });

  it("says why a pod cannot be created, and tries again", async () => {
    let isOpen = false;
    const server = await startReviewServer(() => ({ allowed: isOpen, status: { message: "closed", code: 403 } }));
    const rules = [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }];
    const webhook = {
      name: "pods.example.com",
      rules,
      clientConfig: { url: server.url, caBundle: server.caBundle },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    };
    await test.admin.post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "pods" },
      webhooks: [webhook],
    });
    await test.createSet({ replicas: 1 });
    const reason = 'admission webhook "pods.example.com" denied the request: closed';
    const message = `Create Pod web-0 in StatefulSet web failed error: ${reason}`;
    expect(new Set(await test.events())).toEqual(new Set([`Warning FailedCreate: ${message}`]));
    expect(await test.status()).toMatchObject({ observedGeneration: 1, replicas: 0 });
    isOpen = true;
    await test.advance(1);
    expect(await test.podNames()).toEqual(["web-0"]);
    await server.close();
  });

  it("leaves the deletion of its pods to the garbage collector", async () => {
    await test.createSet();
    await test.admin.delete(`${SETS}/web`);
    await test.settle();
    expect(await test.podNames()).toEqual([]);
    expect(await test.revisions()).toEqual([]);
  });
});
