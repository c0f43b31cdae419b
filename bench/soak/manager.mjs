// The manager of a soak, in its own process: it copies each ConfigMap into a Secret that the ConfigMap controls. Answers requests of its parent.
import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";

import { ignoreNotFound } from "@kubescaffold/k8s";
import { ConfigMap, Secret } from "@kubescaffold/k8s/core/v1";
import { controllerutil, createManager, metrics, newControllerManagedBy, silentLogger } from "@kubescaffold/runtime";

import { answerParent } from "./child.mjs";
import { memory } from "./memory.mjs";
import { LABELS, labelSelector } from "./objects.mjs";
import { percentile } from "./samples.mjs";

const RESOLUTION_MS = 10;

const stopping = new AbortController();
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
// When each source was written that is copied already.
const copied = new Map();
let latencies = [];
let reconciles = 0;
let errors = 0;
let manager;
let running;

const requests = { start, sample, cache, stop };
answerParent({ ready: {}, requests });
process.on("disconnect", () => stopping.abort());

async function start(config) {
  manager = await createManager(config, {
    logger: silentLogger,
    metrics: { bindAddress: "0" },
    leaderElection: false,
    cache: { defaultLabelSelector: labelSelector },
  });
  await newControllerManagedBy(manager)
    .for(ConfigMap)
    .owns(Secret)
    .named("soak")
    .withOptions({ maxConcurrentReconciles: 4 })
    .complete(reconcile);
  running = manager.start(stopping.signal);
  await Promise.race([manager.elected, running]);
  delay.enable();
}

async function reconcile(key) {
  reconciles += 1;
  try {
    await copy(key);
  } catch (error) {
    errors += 1;
    throw error;
  }
}

async function copy(key) {
  const client = manager.getClient();
  const source = await ignoreNotFound(client.get(ConfigMap, key));
  const name = `${key.namespace}/${key.name}`;
  if (source === undefined || source.metadata.deletionTimestamp !== undefined) {
    copied.delete(name);
    return;
  }
  const value = Buffer.from(source.data?.value ?? "").toString("base64");
  const empty = Secret.create({ metadata: { ...key, labels: LABELS } });
  const { result } = await controllerutil.createOrUpdate(client, empty, (secret) =>
    controllerutil.setControllerReference(source, { ...secret, data: { value } }),
  );
  const { writtenAt } = source.data;
  // A repaired Secret is not the result of a write to its source.
  if (result !== "unchanged" && copied.get(name) !== writtenAt) latencies.push(Date.now() - Number(writtenAt));
  copied.set(name, writtenAt);
}

// The delays exclude the garbage collection of the sample.
async function sample() {
  const delays = [50, 99, 100].map((each) => Math.max(0, delay.percentile(each) / 1e6 - RESOLUTION_MS));
  const sorted = latencies.toSorted((left, right) => left - right);
  const counts = { reconciles, errors };
  const depth = await metrics.registry.getSingleMetric("workqueue_depth").get();
  const result = {
    ...memory(),
    delayP50Ms: delays[0],
    delayP99Ms: delays[1],
    delayMaxMs: delays[2],
    queueDepth: depth.values.reduce((sum, { value }) => sum + value, 0),
    ...counts,
    latencyP50Ms: percentile(sorted, 0.5),
    latencyP99Ms: percentile(sorted, 0.99),
    latencyMaxMs: sorted.at(-1) ?? 0,
  };
  [latencies, reconciles, errors] = [[], 0, 0];
  delay.reset();
  return result;
}

/** Returns the version of each object in the cache. */
async function cache() {
  const lists = await Promise.all([ConfigMap, Secret].map((kind) => manager.getCache().list(kind)));
  return lists
    .flatMap(({ items }) => items)
    .map(({ kind, metadata }) => [`${kind} ${metadata.namespace}/${metadata.name}`, metadata.resourceVersion]);
}

async function stop() {
  stopping.abort();
  await running;
}
