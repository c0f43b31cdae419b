// How long the controllers of the embedded server keep it from answering while workloads ask for as many Pods as they can.
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker, isMainThread, parentPort } from "node:worker_threads";

import { createEmbeddedCluster } from "@kubescaffold/cluster";

import { printWhenMain, rowOf } from "./measuring.mjs";

const ROUNDS = 10;
const OBSERVED_MS = 5000;
const LARGEST = 2 ** 31 - 1;
const MOST_TURNS_MS = 50;
const APPS = "/apis/apps/v1/namespaces/default";
const BATCH = "/apis/batch/v1/namespaces/default";

const labels = { app: "web" };
const spec = { schedulerName: "manual", containers: [{ name: "c", image: "busybox:1" }] };
const ofPods = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } };
const ofJobs = { template: { spec: { ...spec, restartPolicy: "Never" } } };
const WORKLOADS = [
  { path: `${APPS}/replicasets`, kind: "ReplicaSet", spec: { ...ofPods, replicas: LARGEST } },
  { path: `${APPS}/deployments`, kind: "Deployment", spec: { ...ofPods, replicas: LARGEST } },
  {
    path: `${APPS}/statefulsets`,
    kind: "StatefulSet",
    spec: { ...ofPods, replicas: LARGEST, podManagementPolicy: "Parallel", serviceName: "web" },
  },
  { path: `${BATCH}/jobs`, kind: "Job", spec: { ...ofJobs, parallelism: LARGEST } },
  {
    path: `${BATCH}/jobs`,
    kind: "Job",
    spec: { ...ofJobs, completionMode: "Indexed", completions: LARGEST, parallelism: 100_000 },
  },
];

/** Each round is a new thread, which compiles the code as a new process does. */
export async function measureControllerTurns() {
  const turns = [];
  const answers = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const worker = new Worker(fileURLToPath(import.meta.url));
    const [{ longestTurnMs, slowestAnswerMs }] = await once(worker, "message");
    await worker.terminate();
    turns.push(longestTurnMs);
    answers.push(slowestAnswerMs);
  }
  return [
    rowOf({
      title: "the longest turn of controllers, five workloads of 2³¹-1 Pods",
      ours: turns,
      maxMs: MOST_TURNS_MS,
    }),
    rowOf({ title: "the slowest answer to a read meanwhile", ours: answers }),
  ];
}

async function observeServer() {
  const cluster = createEmbeddedCluster({ workloadSimulation: true });
  const { config } = await cluster.listen();
  const authorization = `Bearer ${config.credentials.token}`;
  const request = (path, init = {}) =>
    fetch(new URL(path, config.server), { ...init, headers: { ...init.headers, authorization } });
  const reading = new AbortController();
  const [slowestAnswerMs, longestTurnMs] = await Promise.all([
    slowestAnswer(request, reading.signal),
    longestTurn(request).finally(() => reading.abort()),
  ]);
  const pods = (await (await request("/api/v1/namespaces/default/pods")).json()).items.length;
  if (pods < 100) throw new Error(`only ${String(pods)} Pods were created`);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is the port of a worker
  parentPort.postMessage({ longestTurnMs, slowestAnswerMs });
}

async function slowestAnswer(request, signal) {
  let slowest = 0;
  while (!signal.aborted) {
    const start = performance.now();
    await (await request("/api/v1/namespaces/default")).text();
    slowest = Math.max(slowest, performance.now() - start);
    await setTimeout(10);
  }
  return slowest;
}

async function longestTurn(request) {
  await setTimeout(500);
  const turns = observeTurns();
  for (const [index, { path, ...object }] of WORKLOADS.entries()) {
    const metadata = { name: `web-${String(index)}` };
    const body = JSON.stringify({ apiVersion: path.split("/").slice(2, 4).join("/"), metadata, ...object });
    const response = await request(path, { method: "POST", headers: { "content-type": "application/json" }, body });
    if (response.status !== 201) throw new Error(await response.text());
  }
  await setTimeout(OBSERVED_MS);
  return turns.end();
}

/** Two turns are as far apart as the longer of them. */
function observeTurns() {
  let longest = 0;
  let last = performance.now();
  let immediate;
  const next = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    immediate = setImmediate(next);
  };
  immediate = setImmediate(next);
  return {
    end: () => {
      clearImmediate(immediate);
      return longest;
    },
  };
}

if (isMainThread) await printWhenMain(import.meta.url, measureControllerTurns);
else await observeServer();
