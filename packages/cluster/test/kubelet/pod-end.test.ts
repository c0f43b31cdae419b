import type { ContainerStatus, Pod } from "@kubescaffold/k8s/core/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../src/cluster/embedded-cluster.ts";

const PODS = "/api/v1/namespaces/default/pods";

let clock: FakeClock;
let cluster: EmbeddedCluster;
let admin: Requests;
let steps: string[];

beforeEach(() => {
  clock = new FakeClock();
  cluster = createEmbeddedCluster({ clock, workloadSimulation: true });
  admin = requestsOf(cluster.config);
  steps = [];
  cluster.images.define("done:*", async ({ signal }) => await codeAfter(signal, 0));
  cluster.images.define("broken:*", async ({ signal }) => await codeAfter(signal, 3));
  cluster.images.define("deaf:*", async () => await new Promise<number>(() => undefined));
  cluster.images.define("ends:*", () => 0);
  cluster.images.define("fails:*", () => 1);
  cluster.images.define("missing:*", { isMissing: true });
  cluster.server.start();
});

afterEach(async () => cluster.close());

async function codeAfter(signal: AbortSignal, code: number): Promise<number> {
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  return code;
}

async function create(spec: object): Promise<void> {
  expect(await admin.post(PODS, { metadata: { name: "p" }, spec })).toMatchObject({ status: 201 });
  await settle();
  cluster.server.context.objects.observe({ group: "", resource: "pods" }, ({ kind, object }) =>
    steps.push(`${kind} ${textOf(object)}`),
  );
}

// Processes end in turns of the event loop.
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    await cluster.server.idle();
  }
}

function textOf({ metadata, status }: Pod): string {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  const states = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].map(stateOf);
  const condition = [ready?.status, ready?.reason].filter((part) => part !== undefined).join(":");
  return [metadata.deletionGracePeriodSeconds ?? "-", status?.phase, `ready=${condition}`, ...states].join(" ");
}

function stateOf({ state }: ContainerStatus): string {
  const { waiting, terminated } = state ?? {};
  if (terminated !== undefined) return `${terminated.reason ?? ""}(${String(terminated.exitCode)})`;
  return waiting?.reason ?? "running";
}

const one = (image: string, more: object = {}): object => ({ containers: [{ name: "c", image }], ...more });
const initialized = (image: string): object => ({
  initContainers: [{ name: "i", image }],
  containers: [{ name: "c", image: "done:1" }],
});

describe("a deleted pod", () => {
  it.each([
    ["whose process stops", one("done:1"), "running", "Succeeded", "PodCompleted", "Completed(0)"],
    ["whose process fails", one("broken:1"), "running", "Failed", "PodFailed", "Error(3)"],
    ["without a process", one("other:1"), "running", "Failed", "PodFailed", "Error(137)"],
  ])("%s reports how it has ended before it is removed", async (_, spec, before, phase, reason, after) => {
    await create(spec);
    await admin.delete(`${PODS}/p`);
    await settle();
    expect(steps).toEqual([
      `modified 30 Running ready=True ${before}`,
      `modified 30 ${phase} ready=False:${reason} ${after}`,
      `modified 0 ${phase} ready=False:${reason} ${after}`,
      `deleted 0 ${phase} ready=False:${reason} ${after}`,
    ]);
  });

  it.each([
    ["whose image is missing", one("missing:1"), "ContainerStatusUnknown(137)"],
    ["whose init container fails", initialized("fails:1"), "Error(1) PodInitializing"],
    ["whose last init container cannot start", initialized("missing:1"), "ErrImagePull PodInitializing"],
  ])("%s has failed", async (_, spec, after) => {
    await create(spec);
    await admin.delete(`${PODS}/p`);
    await settle();
    expect(steps.slice(1)).toEqual([
      `modified 30 Failed ready=False:PodFailed ${after}`,
      `modified 0 Failed ready=False:PodFailed ${after}`,
      `deleted 0 Failed ready=False:PodFailed ${after}`,
    ]);
  });

  it("whose process does not stop is killed after the grace period", async () => {
    await create(one("deaf:1", { terminationGracePeriodSeconds: 5 }));
    await admin.delete(`${PODS}/p`);
    await settle();
    expect(steps).toEqual(["modified 5 Running ready=True running"]);
    await clock.advance(5000);
    await settle();
    expect(steps.slice(1)).toEqual([
      "modified 5 Failed ready=False:PodFailed Error(137)",
      "modified 0 Failed ready=False:PodFailed Error(137)",
      "deleted 0 Failed ready=False:PodFailed Error(137)",
    ]);
  });

  it("that has ended before is removed without another report", async () => {
    await create(one("ends:1", { restartPolicy: "Never" }));
    await admin.delete(`${PODS}/p`);
    await settle();
    expect(steps.map((step) => step.split(" ").slice(0, 3).join(" "))).toEqual([
      "modified 0 Succeeded",
      "deleted 0 Succeeded",
    ]);
  });

  it("without a grace period is removed by the server", async () => {
    await create(one("done:1"));
    await admin.delete(`${PODS}/p`, { gracePeriodSeconds: 0 });
    await settle();
    expect(steps).toEqual(["modified 0 Running ready=True running", "deleted 0 Running ready=True running"]);
  });

  it("with a finalizer reports how it has ended, and stays", async () => {
    await admin.post(PODS, { metadata: { name: "held", finalizers: ["example.com/hold"] }, spec: one("done:1") });
    await settle();
    await admin.delete(`${PODS}/held`);
    await settle();
    expect(await admin.get(`${PODS}/held`)).toMatchObject({
      body: {
        metadata: { deletionGracePeriodSeconds: 0 },
        status: { phase: "Succeeded", containerStatuses: [{ state: { terminated: { exitCode: 0 } } }] },
      },
    });
    await admin.patch(`${PODS}/held`, { metadata: { finalizers: null } });
    expect((await admin.get(`${PODS}/held`)).status).toBe(404);
  });
});
