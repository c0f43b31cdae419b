import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../../support/cluster-requests.ts";

const PODS = "/api/v1/namespaces/red/pods";

let cluster: EmbeddedCluster | undefined;

beforeEach(() => {
  cluster = undefined;
});

afterEach(async () => cluster?.close());

async function start(labels: object, options: Parameters<typeof createEmbeddedCluster>[0] = {}): Promise<Requests> {
  cluster = createEmbeddedCluster(options);
  const admin = requestsOf(cluster.config);
  await admin.post("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "red", labels } });
  return admin;
}

function podOf(spec: object = {}): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p" },
    spec: { containers: [{ name: "c", image: "c" }], ...spec },
  };
}

describe("PodSecurity", () => {
  it("checks nothing in namespaces without levels", async () => {
    const admin = await start({});
    expect(await admin.post(PODS, podOf({ hostNetwork: true }))).toMatchObject({ status: 201, warnings: null });
  });

  it("does not check what an unprivileged level would refuse when it is disabled", async () => {
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    const admin = await start(labels, { disableAdmissionPlugins: ["PodSecurity"] });
    expect(await admin.post(PODS, podOf())).toMatchObject({ status: 201 });
  });

  it("warns of the enforced level by default, so that workloads are warned about", async () => {
    const admin = await start({ "pod-security.kubernetes.io/enforce": "baseline" });
    const template = {
      metadata: { labels: { a: "b" } },
      spec: { hostPID: true, containers: [{ name: "c", image: "c" }] },
    };
    const created = await admin.post("/apis/apps/v1/namespaces/red/deployments", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "d" },
      spec: { selector: { matchLabels: { a: "b" } }, template },
    });
    expect(created.status).toBe(201);
    expect(created.warnings).toContain("would violate PodSecurity");
  });

  it("checks ephemeral containers, and lets the status of Pods pass", async () => {
    const admin = await start({});
    await admin.post(PODS, podOf());
    await admin.patch("/api/v1/namespaces/red", {
      metadata: { labels: { "pod-security.kubernetes.io/enforce": "baseline" } },
    });
    const privileged = { name: "e", image: "e", securityContext: { privileged: true } };
    expect(
      await admin.patch(`${PODS}/p/ephemeralcontainers`, { spec: { ephemeralContainers: [privileged] } }),
    ).toMatchObject({ status: 403 });
    expect(await admin.patch(`${PODS}/p/status`, { status: { phase: "Running" } })).toMatchObject({ status: 200 });
  });

  it("keeps labels that became invalid by other means, and refuses other invalid ones", async () => {
    const admin = await start({});
    const server = (cluster as EmbeddedCluster).server;
    server.context.changeStored({ group: "", resource: "namespaces" }, { namespace: "", name: "red" }, (namespace) => {
      namespace.metadata.labels = { "pod-security.kubernetes.io/enforce": "none" };
    });
    const change = async (labels: object): Promise<number> =>
      (await admin.patch("/api/v1/namespaces/red", { metadata: { labels } })).status;
    expect(await change({ other: "label" })).toBe(200);
    expect(await change({ "pod-security.kubernetes.io/enforce": "nothing" })).toBe(422);
    // An unknown level is enforced as the strictest one.
    expect(await admin.post(PODS, podOf())).toMatchObject({ status: 403 });
  });

  it("refuses an invalid configuration when a cluster is created, unless it does not run", () => {
    const podSecurity = { defaults: { enforce: "strict" } };
    expect(() => createEmbeddedCluster({ podSecurity })).toThrow("invalid configuration of PodSecurity");
    expect(() => createEmbeddedCluster({ podSecurity, disableAdmissionPlugins: ["PodSecurity"] })).not.toThrow();
  });
});
