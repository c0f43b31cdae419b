import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../src/cluster/embedded-cluster.ts";

const PODS = "/api/v1/namespaces/default/pods";
const LARGEST = 2 ** 31 - 1;
const BURST = 500;
const PER_SECOND = 20;

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

const podSpec = { schedulerName: "manual", containers: [{ name: "c", image: "busybox:1" }] };
const labels = { app: "web" };
const selector = { matchLabels: labels };
const template = { metadata: { labels }, spec: podSpec };
const jobTemplate = { spec: { ...podSpec, restartPolicy: "Never" } };
const metadata = { name: "web" };

interface Row {
  readonly name: string;
  readonly path: string;
  readonly body: (number: number) => object;
  /** The number of pods after the first round for the largest number. Default: none. */
  readonly pods?: number;
}

const apps = (kind: string, spec: object): object => ({ apiVersion: "apps/v1", kind, metadata, spec });
const job = (spec: object): object => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata,
  spec: { template: jobTemplate, ...spec },
});
const APPS = "/apis/apps/v1/namespaces/default";
const JOBS = "/apis/batch/v1/namespaces/default/jobs";

const ROWS: readonly Row[] = [
  {
    name: "the replicas of a ReplicaSet",
    path: `${APPS}/replicasets`,
    body: (replicas) => apps("ReplicaSet", { replicas, selector, template }),
    pods: BURST,
  },
  {
    name: "the replicas of a ReplicationController",
    path: "/api/v1/namespaces/default/replicationcontrollers",
    body: (replicas) => ({ apiVersion: "v1", kind: "ReplicationController", metadata, spec: { replicas, template } }),
    pods: BURST,
  },
  {
    name: "the replicas of a Deployment",
    path: `${APPS}/deployments`,
    body: (replicas) => apps("Deployment", { replicas, selector, template }),
    pods: BURST,
  },
  {
    name: "all other numbers of a Deployment",
    path: `${APPS}/deployments`,
    body: (number) =>
      apps("Deployment", {
        selector,
        template,
        minReadySeconds: number - 1,
        progressDeadlineSeconds: number,
        revisionHistoryLimit: number,
        strategy: { rollingUpdate: { maxSurge: number, maxUnavailable: number } },
      }),
    pods: 1,
  },
  {
    name: "the replicas of a StatefulSet",
    path: `${APPS}/statefulsets`,
    body: (replicas) => apps("StatefulSet", { replicas, selector, template, serviceName: "web" }),
    pods: 1,
  },
  {
    name: "the replicas of a StatefulSet without an order",
    path: `${APPS}/statefulsets`,
    body: (replicas) =>
      apps("StatefulSet", { replicas, selector, template, serviceName: "web", podManagementPolicy: "Parallel" }),
    pods: BURST,
  },
  {
    name: "all other numbers of a StatefulSet",
    path: `${APPS}/statefulsets`,
    body: (number) =>
      apps("StatefulSet", {
        selector,
        template,
        serviceName: "web",
        minReadySeconds: number,
        revisionHistoryLimit: number,
        updateStrategy: { rollingUpdate: { partition: number } },
        ordinals: { start: number },
      }),
    pods: 1,
  },
  {
    name: "the numbers of a DaemonSet",
    path: `${APPS}/daemonsets`,
    body: (number) =>
      apps("DaemonSet", {
        selector,
        template,
        minReadySeconds: number,
        revisionHistoryLimit: number,
        updateStrategy: { rollingUpdate: { maxUnavailable: number } },
      }),
    pods: 1,
  },
  {
    name: "the parallelism of a Job",
    path: JOBS,
    body: (parallelism) => job({ parallelism }),
    pods: BURST,
  },
  {
    name: "the completions and the parallelism of a Job",
    path: JOBS,
    body: (number) => job({ parallelism: number, completions: number }),
    pods: BURST,
  },
  {
    name: "the completions of an indexed Job",
    path: JOBS,
    body: (completions) => job({ completionMode: "Indexed", completions, parallelism: Math.min(completions, 100_000) }),
    pods: BURST,
  },
  {
    name: "the limits of failures and the times of a Job",
    path: JOBS,
    body: (number) =>
      job({
        completionMode: "Indexed",
        completions: 100_000,
        parallelism: 1,
        backoffLimit: number,
        backoffLimitPerIndex: number,
        maxFailedIndexes: Math.min(number, 10_000),
        activeDeadlineSeconds: number,
        ttlSecondsAfterFinished: number,
      }),
    pods: 1,
  },
  {
    name: "the numbers of a CronJob",
    path: "/apis/batch/v1/namespaces/default/cronjobs",
    body: (number) => ({
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata,
      spec: {
        schedule: "* * * * *",
        startingDeadlineSeconds: number,
        successfulJobsHistoryLimit: number,
        failedJobsHistoryLimit: number,
        jobTemplate: { spec: { template: jobTemplate, parallelism: number } },
      },
    }),
  },
  {
    name: "the limit of a PodDisruptionBudget",
    path: "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
    body: (minAvailable) => ({
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata,
      spec: { minAvailable, selector },
    }),
  },
  {
    name: "the times of a Pod",
    path: PODS,
    body: (number) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata,
      spec: {
        ...podSpec,
        terminationGracePeriodSeconds: number,
        activeDeadlineSeconds: number,
        tolerations: [{ key: "node.kubernetes.io/unreachable", effect: "NoExecute", tolerationSeconds: number }],
        topologySpreadConstraints: [
          { maxSkew: number, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", labelSelector: selector },
        ],
      },
    }),
    pods: 1,
  },
];

async function podCount(): Promise<number> {
  return ((await admin.get(PODS)).body as { readonly items: readonly unknown[] }).items.length;
}

describe("controllers", () => {
  it.each(ROWS)("come to rest when $name are as large as they can be", async ({ path, body, pods = 0 }) => {
    expect(await admin.post(path, body(LARGEST))).toMatchObject({ status: 201 });
    await cluster.server.idle();
    expect(await podCount()).toBe(pods);
    if (pods < BURST) return;
    clock.step(1000);
    await cluster.server.idle();
    expect(await podCount()).toBe(BURST + PER_SECOND);
  });

  it.each(ROWS)("come to rest when $name are zero or negative", async ({ path, body }) => {
    for (const number of [0, -1]) {
      const { status } = await admin.post(path, body(number));
      expect([201, 422]).toContain(status);
      await cluster.server.idle();
      expect(await podCount()).toBeLessThanOrEqual(1);
      if (status === 201) await admin.delete(`${path}/web`);
    }
  });

  it("scale to the largest number that an autoscaler demands, and come to rest", async () => {
    await admin.post(`${APPS}/deployments`, apps("Deployment", { replicas: 1, selector, template }));
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
    const metrics = [
      { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 1 } } },
    ];
    const spec = { minReplicas: LARGEST, maxReplicas: LARGEST, scaleTargetRef, metrics };
    const autoscaler = { apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", metadata, spec };
    expect(
      await admin.post("/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers", autoscaler),
    ).toMatchObject({ status: 201 });
    await cluster.server.idle();
    clock.step(15_000);
    await cluster.server.idle();
    expect(await admin.get(`${APPS}/deployments/web`)).toMatchObject({ body: { spec: { replicas: LARGEST } } });
    // The first replica has not used up anything that 15 seconds do not give back.
    expect(await podCount()).toBe(1 + BURST);
  });

  it("continue an indexed Job whose status names almost all of its indexes", async () => {
    const completions = LARGEST;
    await admin.post(JOBS, job({ completionMode: "Indexed", completions, parallelism: 4, suspend: true }));
    await cluster.server.idle();
    const completedIndexes = `0-${String(completions - 4)}`;
    const status = { completedIndexes, succeeded: completions - 3 };
    expect(await admin.patch(`${JOBS}/web/status`, { status })).toMatchObject({ status: 200 });
    await admin.patch(`${JOBS}/web`, { spec: { suspend: false } });
    await cluster.server.idle();
    const { items } = (await admin.get(PODS)).body as {
      readonly items: readonly { readonly metadata: { readonly labels: Readonly<Record<string, string>> } }[];
    };
    const indexes = items.map(({ metadata: { labels: own } }) =>
      Number(own["batch.kubernetes.io/job-completion-index"]),
    );
    expect(indexes.toSorted((left, right) => left - right)).toEqual([
      completions - 3,
      completions - 2,
      completions - 1,
    ]);
  });
});
