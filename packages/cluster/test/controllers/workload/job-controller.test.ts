import type { Job, JobStatus } from "@kubescaffold/k8s/batch/v1";
import type { Event, Pod } from "@kubescaffold/k8s/core/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";

const JOBS = "/apis/batch/v1/namespaces/default/jobs";
const PODS = "/api/v1/namespaces/default/pods";
const EVENTS = "/api/v1/namespaces/default/events";
const START = "2026-01-01T00:00:00Z";
const SUCCESS = { reason: "CompletionsReached", message: "Reached expected number of succeeded pods" };

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

/** Creates the Job `work`; pods for another scheduler never start, so the test says how they end. */
async function createJob(
  spec: object = {},
  { isManual = false, ...podSpec }: { readonly isManual?: boolean; readonly [field: string]: unknown } = {},
): Promise<void> {
  const template = {
    spec: {
      restartPolicy: "Never",
      ...(isManual ? { schedulerName: "manual" } : {}),
      containers: [{ name: "main", image: "worker:1" }],
      ...podSpec,
    },
  };
  const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "work" }, spec: { template, ...spec } };
  expect(await admin.post(JOBS, job)).toMatchObject({ status: 201 });
  await cluster.server.idle();
}

async function statusOf(): Promise<JobStatus | undefined> {
  return ((await admin.get(`${JOBS}/work`)).body as unknown as Job).status;
}

async function pods(): Promise<readonly Pod[]> {
  return ((await admin.get(PODS)).body as { readonly items: readonly Pod[] }).items;
}

async function activePods(): Promise<readonly Pod[]> {
  return (await pods()).filter(({ status }) => status?.phase === "Pending" || status?.phase === "Running");
}

async function end(pod: Pod | undefined, phase: "Succeeded" | "Failed"): Promise<void> {
  const time = new Date(clock.now()).toISOString().slice(0, 19);
  const conditions = [{ type: "Ready", status: "False", lastTransitionTime: `${time}Z` }];
  await admin.patch(`${PODS}/${pod?.metadata.name ?? ""}/status`, { status: { phase, conditions } });
  await cluster.server.idle();
}

async function advance(seconds: number): Promise<void> {
  clock.step(seconds * 1000);
  await cluster.server.idle();
}

async function eventsOf(): Promise<readonly string[]> {
  const { items } = (await admin.get(`${EVENTS}?fieldSelector=involvedObject.name=work`)).body as {
    readonly items: readonly Event[];
  };
  return items
    .flatMap(({ type = "", reason = "", message = "", count = 1 }) =>
      Array.from({ length: count }, () => `${type} ${reason}: ${message.replace(/work-\S*/u, "POD")}`),
    )
    .toSorted();
}

function conditionTypes(status: JobStatus | undefined): readonly string[] {
  return (status?.conditions ?? []).map(({ type, status: value, reason = "" }) => `${type}=${value} ${reason}`);
}

describe("the job controller", () => {
  it("completes a job whose image has no definition at once", async () => {
    await createJob();
    const time = { lastProbeTime: START, lastTransitionTime: START };
    expect(await statusOf()).toEqual({
      startTime: START,
      completionTime: START,
      succeeded: 1,
      ready: 0,
      terminating: 0,
      uncountedTerminatedPods: {},
      conditions: [
        { type: "SuccessCriteriaMet", status: "True", ...SUCCESS, ...time },
        { type: "Complete", status: "True", ...SUCCESS, ...time },
      ],
    });
    const [pod] = await pods();
    expect(pod?.status?.phase).toBe("Succeeded");
    expect(pod?.metadata.generateName).toBe("work-");
    expect(pod?.metadata).not.toHaveProperty("finalizers");
    expect(pod?.metadata.labels).toMatchObject({ "batch.kubernetes.io/job-name": "work", "job-name": "work" });
    expect(await eventsOf()).toEqual(["Normal Completed: Job completed", "Normal SuccessfulCreate: Created pod: POD"]);
  });

  it("runs the behavior of the image, and fails when too many pods have failed", async () => {
    let runs = 0;
    cluster.images.define("worker:*", () => {
      runs += 1;
      return 3;
    });
    await createJob({ backoffLimit: 1 });
    await expect.poll(statusOf).toMatchObject({ failed: 1 });
    await advance(9);
    expect(runs).toBe(1);
    await advance(1);
    await expect.poll(async () => conditionTypes(await statusOf())).toHaveLength(2);
    expect(runs).toBe(2);
    const status = await statusOf();
    expect(status).toMatchObject({ failed: 2, startTime: START });
    expect(status).not.toHaveProperty("completionTime");
    expect(conditionTypes(status)).toEqual([
      "FailureTarget=True BackoffLimitExceeded",
      "Failed=True BackoffLimitExceeded",
    ]);
    expect(await eventsOf()).toContain("Warning BackoffLimitExceeded: Job has reached the specified backoff limit");
  });

  it("waits twice as long after each failure", async () => {
    await createJob({}, { isManual: true });
    for (const delay of [10, 20, 40]) {
      const [pod] = await activePods();
      await end(pod, "Failed");
      await advance(delay - 1);
      expect(await activePods()).toHaveLength(0);
      await advance(1);
      expect(await activePods()).toHaveLength(1);
    }
    expect(await statusOf()).toMatchObject({ active: 1, failed: 3 });
  });

  it("keeps as many pods as may run at once until enough have succeeded", async () => {
    await createJob({ completions: 3, parallelism: 2 }, { isManual: true });
    expect(await statusOf()).toMatchObject({ active: 2, ready: 0 });
    for (const [active, succeeded] of [
      [2, 1],
      [1, 2],
    ]) {
      const [pod] = await activePods();
      await end(pod, "Succeeded");
      expect(await statusOf()).toMatchObject({ active, succeeded });
    }
    await admin.patch(`${JOBS}/work`, { spec: { parallelism: 0 } });
    await cluster.server.idle();
    expect(await activePods()).toHaveLength(0);
    await admin.patch(`${JOBS}/work`, { spec: { parallelism: 5 } });
    await cluster.server.idle();
    const [last] = await activePods();
    await end(last, "Succeeded");
    expect(conditionTypes(await statusOf())).toEqual([
      "SuccessCriteriaMet=True CompletionsReached",
      "Complete=True CompletionsReached",
    ]);
  });

  it("is complete without a number of completions when one pod has succeeded and none runs", async () => {
    await createJob({ parallelism: 2 }, { isManual: true });
    const [first, second] = await activePods();
    await end(first, "Succeeded");
    const status = await statusOf();
    expect(status).toMatchObject({ active: 1, succeeded: 1 });
    expect(status).not.toHaveProperty("completionTime");
    await end(second, "Failed");
    expect(await statusOf()).toMatchObject({ completionTime: START, succeeded: 1, failed: 1 });
  });

  it("gives each pod of an indexed job an index, and replaces the failed ones", async () => {
    await createJob({ completionMode: "Indexed", completions: 4, parallelism: 4 }, { isManual: true });
    const [zero, one, two, three] = (await activePods()).toSorted((left, right) =>
      (left.metadata.name ?? "").localeCompare(right.metadata.name ?? ""),
    );
    expect(one?.metadata.name).toMatch(/^work-1-/u);
    expect(one?.spec?.hostname).toBe("work-1");
    const mark = { "batch.kubernetes.io/job-completion-index": "1" };
    expect(one?.metadata).toMatchObject({ labels: mark, annotations: mark });
    expect(one?.spec?.containers[0]?.env).toEqual([
      {
        name: "JOB_COMPLETION_INDEX",
        valueFrom: {
          fieldRef: { apiVersion: "v1", fieldPath: "metadata.labels['batch.kubernetes.io/job-completion-index']" },
        },
      },
    ]);
    await end(zero, "Succeeded");
    await end(two, "Succeeded");
    expect(await statusOf()).toMatchObject({ completedIndexes: "0,2", succeeded: 2 });
    await end(one, "Failed");
    await advance(10);
    const again = (await activePods()).find(({ metadata }) => metadata.name?.startsWith("work-1-"));
    await end(again, "Succeeded");
    expect(await statusOf()).toMatchObject({ completedIndexes: "0-2", succeeded: 3, failed: 1 });
    await end(three, "Succeeded");
    expect(await statusOf()).toMatchObject({
      completedIndexes: "0-3",
      succeeded: 4,
      completionTime: expect.anything(),
    });
  });

  it("deletes the pods of a suspended job, and starts them again", async () => {
    await createJob({ parallelism: 2, completions: 2, suspend: true }, { isManual: true });
    const status = await statusOf();
    expect(status).not.toHaveProperty("startTime");
    expect(conditionTypes(status)).toEqual(["Suspended=True JobSuspended"]);
    await advance(5);
    await admin.patch(`${JOBS}/work`, { spec: { suspend: false } });
    await cluster.server.idle();
    expect(await statusOf()).toMatchObject({ active: 2, startTime: "2026-01-01T00:00:05Z" });
    await admin.patch(`${JOBS}/work`, { spec: { suspend: true } });
    await cluster.server.idle();
    expect(await pods()).toEqual([]);
    const suspended = await statusOf();
    expect(suspended).toMatchObject({ terminating: 0, ready: 0 });
    expect(suspended).not.toHaveProperty("active");
    expect(suspended).not.toHaveProperty("failed");
    expect((await eventsOf()).filter((event) => /Suspended|Resumed/u.test(event))).toEqual([
      "Normal Resumed: Job resumed",
      "Normal Suspended: Job suspended",
      "Normal Suspended: Job suspended",
    ]);
  });

  it("fails a job that is active for too long, and counts its pods as failed", async () => {
    cluster.images.define("worker:*", async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return 1;
    });
    await createJob({ activeDeadlineSeconds: 30 });
    expect(await statusOf()).toMatchObject({ active: 1, ready: 1 });
    await advance(30);
    await expect
      .poll(async () => conditionTypes(await statusOf()))
      .toEqual(["FailureTarget=True DeadlineExceeded", "Failed=True DeadlineExceeded"]);
    expect(await statusOf()).toMatchObject({ failed: 1, ready: 0, terminating: 0 });
    expect(await pods()).toEqual([]);
  });

  it("keeps a job whose deadline is an integer beyond 2^53", async () => {
    cluster.images.define("worker:*", async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return 1;
    });
    await createJob({ activeDeadlineSeconds: 2n ** 53n + 1n });
    await advance(1_000_000);
    expect(await statusOf()).toMatchObject({ active: 1, ready: 1 });
  });

  it("fails a job whose containers were restarted too often", async () => {
    cluster.images.define("worker:*", () => 1);
    await createJob({ backoffLimit: 2 }, { restartPolicy: "OnFailure" });
    await expect
      .poll(async () => {
        await advance(10);
        return conditionTypes(await statusOf());
      })
      .toEqual(["FailureTarget=True BackoffLimitExceeded", "Failed=True BackoffLimitExceeded"]);
    expect(await pods()).toEqual([]);
  });

  it("follows its pod failure policy", async () => {
    const rules = [
      { action: "Ignore", onExitCodes: { operator: "In", values: [3] } },
      { action: "FailJob", onExitCodes: { operator: "NotIn", values: [3, 4] } },
    ];
    const codes = [3, 4, 42];
    cluster.images.define("worker:*", () => codes.shift() ?? 0);
    await createJob({ backoffLimit: 1, podFailurePolicy: { rules } });
    await expect.poll(async () => (await pods())[0]?.metadata.finalizers).toBe(undefined);
    expect(await statusOf()).not.toHaveProperty("failed");
    await advance(10);
    await expect.poll(statusOf).toMatchObject({ failed: 1 });
    await advance(20);
    await expect.poll(statusOf).toMatchObject({ failed: 2 });
    await cluster.server.idle();
    const status = await statusOf();
    expect(conditionTypes(status)).toEqual(["FailureTarget=True PodFailurePolicy", "Failed=True PodFailurePolicy"]);
    expect(status?.conditions?.[0]?.message).toMatch(
      /^Container main for pod default\/work-\w+ failed with exit code 42 matching FailJob rule at index 1$/u,
    );
  });

  it("is complete when its success policy is met, and deletes the other pods", async () => {
    const successPolicy = { rules: [{ succeededIndexes: "1-2", succeededCount: 1 }] };
    await createJob({ completionMode: "Indexed", completions: 3, parallelism: 3, successPolicy }, { isManual: true });
    const byIndex = (index: number) => (pod: Pod) => pod.metadata.name?.startsWith(`work-${String(index)}-`);
    await end((await pods()).find(byIndex(0)), "Succeeded");
    expect(await statusOf()).toMatchObject({ active: 2, succeeded: 1 });
    await end((await pods()).find(byIndex(2)), "Succeeded");
    const status = await statusOf();
    expect(status).toMatchObject({ completedIndexes: "0,2", succeeded: 2, terminating: 0 });
    expect(status).not.toHaveProperty("failed");
    expect(status?.conditions?.[1]).toMatchObject({ type: "Complete", message: "Matched rules at index 0" });
    expect(await pods()).toHaveLength(2);
  });

  it("counts a deleted pod as failed when it has ended, and replaces it", async () => {
    await createJob({ podReplacementPolicy: "Failed" }, { isManual: true });
    const [pod] = await activePods();
    await admin.delete(`${PODS}/${pod?.metadata.name ?? ""}`);
    await cluster.server.idle();
    expect(await statusOf()).toMatchObject({ failed: 1 });
    await advance(10);
    expect(await activePods()).toHaveLength(1);
  });

  it("reports that the container of a deleted pod that does not stop was killed", async () => {
    cluster.images.define("worker:*", async () => await new Promise(() => undefined));
    await createJob({}, { terminationGracePeriodSeconds: 5 });
    const [pod] = await activePods();
    const { name = "", finalizers = [] } = pod?.metadata ?? {};
    await admin.patch(`${PODS}/${name}`, { metadata: { finalizers: [...finalizers, "example.com/keep"] } });
    await admin.delete(`${PODS}/${name}`);
    await advance(5);
    const { status } = (await admin.get(`${PODS}/${name}`)).body as unknown as Pod;
    expect(status).toMatchObject({
      phase: "Failed",
      containerStatuses: [{ ready: false, state: { terminated: { exitCode: 137, reason: "Error" } } }],
    });
    expect(await statusOf()).toMatchObject({ failed: 1 });
  });

  it("deletes a finished job with its pods after its time", async () => {
    await createJob({ ttlSecondsAfterFinished: 60 });
    await advance(59);
    expect(await pods()).toHaveLength(1);
    await advance(1);
    expect(await admin.get(`${JOBS}/work`)).toMatchObject({ status: 404 });
    expect(await pods()).toEqual([]);
  });

  it("lets the pods of a deleted job go", async () => {
    await createJob({ parallelism: 2 }, { isManual: true });
    await admin.delete(`${JOBS}/work?propagationPolicy=Background`);
    await cluster.server.idle();
    expect(await pods()).toEqual([]);
    await createJob({ parallelism: 2 }, { isManual: true });
    await admin.delete(`${JOBS}/work?propagationPolicy=Orphan`);
    await cluster.server.idle();
    expect((await pods()).map(({ metadata }) => metadata.finalizers)).toEqual([undefined, undefined]);
  });

  it("leaves jobs of other controllers alone", async () => {
    await createJob({ managedBy: "example.com/queue" });
    expect(await pods()).toEqual([]);
    expect(await statusOf()).toEqual({});
  });

  it("adopts a pod again that lost its owner, and releases one that lost its labels", async () => {
    await createJob({}, { isManual: true });
    const [pod] = await activePods();
    const name = pod?.metadata.name ?? "";
    await admin.patch(`${PODS}/${name}`, { metadata: { ownerReferences: null } });
    await cluster.server.idle();
    const adopted = (await pods())[0]?.metadata;
    expect(adopted?.ownerReferences).toEqual(pod?.metadata.ownerReferences);
    expect(adopted?.finalizers).toEqual(["batch.kubernetes.io/job-tracking"]);
    const labels = Object.fromEntries(Object.keys(pod?.metadata.labels ?? {}).map((label) => [label, null]));
    await admin.patch(`${PODS}/${name}`, { metadata: { labels } });
    await cluster.server.idle();
    const released = (await pods()).find(({ metadata }) => metadata.name === name)?.metadata;
    expect(released).not.toHaveProperty("ownerReferences");
    expect(released).not.toHaveProperty("finalizers");
    expect(await pods()).toHaveLength(2);
    expect(await statusOf()).toMatchObject({ active: 1 });
  });
});
