import { setTimeout as delay } from "node:timers/promises";

import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Node, Pod } from "@kubescaffold/k8s/core/v1";
import { createClient, type LiveClient } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { eventually } from "../e2e/eventually.ts";
import { NODE_NAME } from "./addresses.ts";
import { AdmissionStream } from "./admission-stream.ts";
import { exampleProject } from "./example-project.ts";
import { isReady, leader, managerPods, processOf, readyManagers } from "./manager-pods.ts";
import { CLUSTER, kubectl, nodeCluster, type NodeProject, tryKubectl } from "./node-project.ts";
import { forwardPort, getText } from "./pod-connections.ts";

const LIVENESS_MS = 300_000;
const NAMESPACE = "guestbook-system";
const DEPLOYMENT = "guestbook-controller-manager";
const IMAGE = "example.com/guestbook:v1";
const LEASE = { namespace: NAMESPACE, name: "5727742e.demo" };
const GRACE_PERIOD_MS = 10_000;

// Every test goes on where the one before it stopped, as a user does.
describe.skipIf(CLUSTER === undefined)("a guestbook on a real node", { timeout: LIVENESS_MS }, () => {
  let project: NodeProject;
  let client: LiveClient;

  beforeAll(async () => {
    client = createClient(nodeCluster().config);
    project = await exampleProject("guestbook", IMAGE);
  }, LIVENESS_MS);

  afterAll(() => project?.remove());

  async function ready(count: number): Promise<readonly Pod[]> {
    return await readyManagers(client, NAMESPACE, count);
  }

  it("is ready in a namespace that enforces the restricted profile, with nothing else installed", async () => {
    await kubectl("create", "namespace", NAMESPACE);
    await kubectl("label", "namespace", NAMESPACE, "pod-security.kubernetes.io/enforce=restricted");
    await project.scaffold(`deploy --image ${IMAGE}`);
    const [pod] = await ready(1);
    expect(pod?.spec?.containers[0]?.securityContext?.readOnlyRootFilesystem).toBe(true);
    expect(pod?.status?.containerStatuses?.[0]?.restartCount).toBe(0);
  });

  it("admits and refuses objects by its webhooks", async () => {
    const created = await client.create({
      apiVersion: "webapp.demo/v1",
      kind: "Guestbook",
      metadata: { name: "defaulted", namespace: "default" },
      spec: {},
    } as never);
    expect(created).toMatchObject({ spec: { image: expect.any(String) } });
    const refused = await tryKubectl(
      "patch",
      "guestbook/defaulted",
      "--type=merge",
      `--patch=${JSON.stringify({ spec: { image: "no image" } })}`,
    );
    expect(refused).toMatchObject({ status: 1, output: expect.stringContaining("spec.image") });
    await kubectl("delete", "guestbook/defaulted");
  });

  it("reconciles the sample, whose Pods run", async () => {
    await kubectl("apply", "--kustomize", `${project.root}/config/samples`);
    await kubectl("wait", "--for=condition=Available", "guestbook/guestbook-sample", "--timeout=120s");
    const { status } = await client.get(Deployment, { namespace: "default", name: "guestbook-sample" });
    expect(status?.availableReplicas).toBe(2);
  });

  it("shows its metrics to a token that may read them", async () => {
    const [pod] = await ready(1);
    const url = `https://${pod?.status?.podIP ?? ""}:8443/metrics`;
    await kubectl("create", "serviceaccount", "scraper");
    expect((await getText(url, await kubectl("create", "token", "scraper"))).status).toBe(403);
    const role = "--clusterrole=guestbook-metrics-reader";
    await kubectl("create", "clusterrolebinding", "scraper", role, "--serviceaccount=default:scraper");
    const token = (await kubectl("create", "token", "scraper")).trim();
    const scraped = await eventually(
      async () => {
        const answer = await getText(url, token);
        return answer.status === 200 ? answer.text : undefined;
      },
      () => "metrics",
    );
    expect(scraped).toMatch(/controller_runtime_reconcile_total\{.*result="success".*\} [1-9]/u);
    expect((await getText(url)).status).toBe(401);
  });

  it("can be read, entered, and reached by kubectl", async () => {
    const [pod] = await ready(1);
    const target = `pod/${pod?.metadata.name ?? ""}`;
    expect(await kubectl("logs", "--namespace", NAMESPACE, target)).toContain("Starting manager");
    const exec = ["exec", "--namespace", NAMESPACE, target, "--", "/nodejs/bin/node", "--print"];
    expect((await kubectl(...exec, "6 * 7")).trim()).toBe("42");
    // The root file system is read-only.
    expect((await tryKubectl(...exec, "fs.writeFileSync('/file', '')")).output).toContain("EROFS");
    const forwarded = await forwardPort(NAMESPACE, target, 8081);
    try {
      expect(await getText(`${forwarded.url}/healthz`)).toMatchObject({ status: 200 });
    } finally {
      await forwarded.stop();
    }
  });

  it("stops within its grace period, with status 0", async () => {
    const [pod] = await ready(1);
    const name = pod?.metadata.name ?? "";
    // Keeps the last status of the Pod.
    await patchFinalizers(name, ["example.com/observed"]);
    const start = performance.now();
    await kubectl("delete", "pod", "--namespace", NAMESPACE, name, "--wait=false");
    const terminated = await eventually(
      async () => {
        const { status } = await client.get(Pod, { namespace: NAMESPACE, name });
        return status?.containerStatuses?.[0]?.state?.terminated;
      },
      () => "a terminated container",
    );
    expect(performance.now() - start).toBeLessThan(GRACE_PERIOD_MS);
    expect(terminated).toMatchObject({ exitCode: 0, reason: "Completed" });
    await patchFinalizers(name, []);
    await ready(1);
  });

  it("has another leader when the process of the first one is killed", async () => {
    await kubectl("scale", "--namespace", NAMESPACE, `deployment/${DEPLOYMENT}`, "--replicas=2");
    await ready(2);
    const first = await leader(client, LEASE);
    process.kill(processOf(first), "SIGKILL");
    const second = await leader(client, LEASE, first);
    expect(second).not.toBe(first);
    await kubectl("annotate", "guestbook/guestbook-sample", "changed=true");
    const pods = await ready(2);
    const killed = pods.find(({ metadata }) => metadata.name === first);
    expect(killed?.status?.containerStatuses?.[0]).toMatchObject({
      restartCount: 1,
      lastState: { terminated: { exitCode: 137, reason: "Error" } },
    });
  });

  it("admits every request during a rolling update", async () => {
    const stream = new AdmissionStream(client);
    await kubectl("rollout", "restart", "--namespace", NAMESPACE, `deployment/${DEPLOYMENT}`);
    await kubectl("rollout", "status", "--namespace", NAMESPACE, `deployment/${DEPLOYMENT}`, "--timeout=180s");
    // The last old Pods serve until they end.
    await eventually(
      async () => ((await client.list(Pod, { namespace: NAMESPACE })).items.length === 2 ? true : undefined),
      () => "the end of the old Pods",
    );
    const { refused, admitted } = await stream.stop();
    expect(refused).toEqual([]);
    expect(admitted).toBeGreaterThan(50);
  });

  it("runs again when its node is drained and uncordoned", async () => {
    const old = (await ready(2)).map(({ metadata }) => metadata.uid);
    await kubectl("drain", NODE_NAME, "--force", "--delete-emptydir-data", "--timeout=120s");
    expect((await client.get(Node, { name: NODE_NAME })).spec?.unschedulable).toBe(true);
    expect((await managerPods(client, NAMESPACE)).filter(isReady)).toEqual([]);
    await kubectl("uncordon", NODE_NAME);
    const pods = await ready(2);
    expect(pods.filter(({ metadata }) => old.includes(metadata.uid))).toEqual([]);
    await kubectl("wait", "--for=condition=Available", "guestbook/guestbook-sample", "--timeout=120s");
  });

  it("replaces a Pod that is evicted", async () => {
    const [pod] = await ready(2);
    const { name = "", uid } = pod?.metadata ?? {};
    await client.subResource("eviction").create(Pod.create({ metadata: { name, namespace: NAMESPACE } }), {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name, namespace: NAMESPACE },
    } as never);
    await delay(1000);
    expect((await ready(2)).map(({ metadata }) => metadata.uid)).not.toContain(uid);
  });

  it("is removed, and leaves its objects", async () => {
    await project.scaffold("undeploy");
    expect(await kubectl("get", "guestbooks", "--output=name")).toContain("guestbook-sample");
    await project.scaffold(`deploy --image ${IMAGE}`);
    await ready(1);
    await project.scaffold("undeploy --delete-crds");
    expect((await tryKubectl("get", "namespace", NAMESPACE)).output).toContain("not found");
  });

  async function patchFinalizers(name: string, finalizers: readonly string[]): Promise<void> {
    const patch = JSON.stringify({ metadata: { finalizers } });
    await kubectl("patch", "pod", "--namespace", NAMESPACE, name, "--type=merge", `--patch=${patch}`);
  }
});
