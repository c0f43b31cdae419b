import type { Job } from "@kubescaffold/k8s/batch/v1";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";

const JOBS = "/apis/batch/v1/namespaces/default/jobs";
const PODS = "/api/v1/namespaces/default/pods";
const FAILURES = "batch.kubernetes.io/job-index-failure-count";
const IGNORED = "batch.kubernetes.io/job-index-ignored-failure-count";

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

/** Creates the indexed Job `work`, whose pods never start, so the test says how they end. */
async function createJob(spec: object): Promise<void> {
  const podSpec = {
    restartPolicy: "Never",
    schedulerName: "manual",
    containers: [{ name: "main", image: "worker:1" }],
  };
  const job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "work" },
    spec: { completionMode: "Indexed", template: { spec: podSpec }, ...spec },
  };
  expect(await admin.post(JOBS, job)).toMatchObject({ status: 201 });
  await cluster.server.idle();
}

async function job(): Promise<Job> {
  return (await admin.get(`${JOBS}/work`)).body as unknown as Job;
}

async function conditions(): Promise<readonly string[]> {
  return ((await job()).status?.conditions ?? []).map(({ type, reason = "" }) => `${type} ${reason}`);
}

async function activePod(index: number): Promise<Pod | undefined> {
  const { items } = (await admin.get(PODS)).body as { readonly items: readonly Pod[] };
  return items.find(
    ({ metadata, status }) => metadata.name?.startsWith(`work-${String(index)}-`) && status?.phase === "Pending",
  );
}

async function end(pod: Pod | undefined, phase: "Succeeded" | "Failed", exitCode = 1): Promise<void> {
  const time = new Date(clock.now()).toISOString().replace(/\.\d+/u, "");
  const terminated = { exitCode, startedAt: time, finishedAt: time };
  const state = { name: "main", image: "worker:1", imageID: "", ready: false, restartCount: 0, state: { terminated } };
  const body = { status: { phase, containerStatuses: [state] } };
  await admin.patch(`${PODS}/${pod?.metadata.name ?? ""}/status`, body);
  await cluster.server.idle();
}

async function advance(seconds: number): Promise<void> {
  clock.step(seconds * 1000);
  await cluster.server.idle();
}

describe("a job with backoffLimitPerIndex", () => {
  it("limits the failures of each index, and runs the others to their end", async () => {
    await createJob({ completions: 2, parallelism: 2, backoffLimitPerIndex: 1 });
    expect((await job()).spec?.backoffLimit).toBe(2 ** 31 - 1);
    expect((await activePod(0))?.metadata.annotations).toMatchObject({ [FAILURES]: "0" });
    const failed = await activePod(0);
    await end(failed, "Failed");
    expect((await job()).status?.failed).toBeUndefined();
    await advance(9);
    expect(await activePod(0)).toBeUndefined();
    await advance(1);
    const again = await activePod(0);
    expect(again?.metadata.annotations).toMatchObject({ [FAILURES]: "1" });
    expect((await job()).status).toMatchObject({ failed: 1, failedIndexes: "", active: 2 });
    await end(again, "Failed");
    expect((await job()).status).toMatchObject({ failed: 2, failedIndexes: "0", active: 1 });
    expect(await conditions()).toEqual([]);
    await end(await activePod(1), "Succeeded", 0);
    expect((await job()).status).toMatchObject({ succeeded: 1, completedIndexes: "1", failedIndexes: "0" });
    expect(await conditions()).toEqual(["FailureTarget FailedIndexes", "Failed FailedIndexes"]);
  });

  it("waits twice as long after each failure of an index, without delaying other indexes", async () => {
    await createJob({ completions: 3, parallelism: 1, backoffLimitPerIndex: 3 });
    await end(await activePod(0), "Failed");
    await advance(10);
    await end(await activePod(0), "Failed");
    await advance(19);
    expect(await activePod(0)).toBeUndefined();
    await advance(1);
    await end(await activePod(0), "Succeeded", 0);
    expect(await activePod(1)).toBeDefined();
  });

  it("fails when more indexes have failed than it allows", async () => {
    await createJob({ completions: 4, parallelism: 1, backoffLimitPerIndex: 0, maxFailedIndexes: 1 });
    await end(await activePod(0), "Failed");
    expect(await conditions()).toEqual([]);
    await end(await activePod(1), "Failed");
    expect(await conditions()).toEqual(["FailureTarget MaxFailedIndexesExceeded", "Failed MaxFailedIndexesExceeded"]);
    expect((await job()).status).toMatchObject({ failed: 2, failedIndexes: "0,1" });
  });

  it("fails an index at once, or does not count its failure, by the pod failure policy", async () => {
    const rules = [
      { action: "FailIndex", onExitCodes: { operator: "In", values: [42] } },
      { action: "Ignore", onExitCodes: { operator: "In", values: [7] } },
    ];
    await createJob({ completions: 2, parallelism: 2, backoffLimitPerIndex: 1, podFailurePolicy: { rules } });
    await end(await activePod(0), "Failed", 42);
    expect((await job()).status).toMatchObject({ failed: 1, failedIndexes: "0" });
    await end(await activePod(1), "Failed", 7);
    await advance(10);
    expect((await activePod(1))?.metadata.annotations).toMatchObject({ [FAILURES]: "0", [IGNORED]: "1" });
    expect((await job()).status).toMatchObject({ failed: 1, failedIndexes: "0" });
    await end(await activePod(1), "Succeeded", 0);
    expect(await conditions()).toEqual(["FailureTarget FailedIndexes", "Failed FailedIndexes"]);
  });
});
