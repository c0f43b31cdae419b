// The workloads of cluster.mjs with our runtime; bench/runtime/go has the same with controller-runtime.
// usage: node --expose-gc bench/runtime/cluster-workloads.mjs WORKLOAD COUNT KUBECONFIG NAMESPACE; prints one line of JSON.
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

import { defineKind, ignoreNotFound } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { handledLater } from "@kubescaffold/platform";
import { createClient, createManager, getConfig, newControllerManagedBy, silentLogger } from "@kubescaffold/runtime";

import { inFlight, objectName, percentile, TEXT_OF_3_KB } from "../workload-parts.mjs";

const CREATES_IN_FLIGHT = 32;
const UPDATES = 1000;
const UPDATE_INTERVAL_MS = 20;
const IDLE_MS = 5000;
const SETTLE_MS = 2000;
const IDLE_BEFORE_COLLECTION_MS = 10_000;
const MIB = 2 ** 20;
const Gadget = defineKind({ group: "bench.kubescaffold.dev", version: "v1" }, "Gadget");

const WORKLOADS = {
  create,
  "sync-stream": sync,
  "sync-list": sync,
  idle,
  read: (bench) => reconcileAll(bench, { workers: 1, writes: false }),
  "read-10": (bench) => reconcileAll(bench, { workers: 10, writes: false }),
  reconcile: (bench) => reconcileAll(bench, { workers: 1, writes: true }),
  "reconcile-10": (bench) => reconcileAll(bench, { workers: 10, writes: true }),
  latency,
};

const [, , workload, count, kubeconfig, namespace] = process.argv;
const config = await getConfig({ kubeconfig });
console.log(JSON.stringify(await WORKLOADS[workload]({ workload, config, namespace, count: Number(count) })));
process.exit(0);

// Creates ConfigMaps of about 3 KB, some at a time.
async function create({ config, namespace, count }) {
  const client = createClient(config);
  // Opens a connection and discovers the resources.
  await client.list(ConfigMap, { namespace, limit: 1 });
  const stop = startWatch();
  await inFlight(count, CREATES_IN_FLIGHT, async (index) => {
    const metadata = { namespace, name: objectName(index) };
    await client.create(ConfigMap.create({ metadata, data: { text: TEXT_OF_3_KB } }));
  });
  return await settled(stop());
}

// Starts a cache and waits until it has all ConfigMaps of the namespace.
async function sync(bench) {
  const manager = await newManager(bench, bench.workload === "sync-stream");
  await manager.getCache().getInformer(ConfigMap, { blockUntilSynced: false });
  const stop = startWatch();
  const end = start(manager);
  await manager.getCache().waitForCacheSync(AbortSignal.timeout(600_000));
  const measured = await settled(stop());
  const { items } = await manager.getCache().list(ConfigMap);
  if (items.length !== bench.count) throw new Error(`the cache has ${items.length} of ${bench.count} objects`);
  await end();
  return measured;
}

// Runs a manager with one controller that has nothing to do.
async function idle(bench) {
  const manager = await newManager(bench);
  await setUp(manager, { workers: 1, writes: false, seen: () => undefined });
  const stop = startWatch();
  const end = start(manager);
  await manager.getCache().waitForCacheSync(AbortSignal.timeout(600_000));
  await sleep(IDLE_MS);
  const measured = await settled(stop());
  await end();
  return measured;
}

// Runs a controller until it has seen each Gadget, and with writes, has updated the status of each.
async function reconcileAll(bench, { workers, writes }) {
  const manager = await newManager(bench);
  const progress = trackProgress(bench.count);
  const controller = await setUp(manager, { workers, writes, seen: (request) => progress.add(request) });
  const stop = startWatch();
  const end = start(manager);
  await progress.complete;
  const measured = { ...stop(), rate: progress.rate() };
  const result = await settled(measured);
  controller.check();
  await end();
  return result;
}

// Updates one Gadget at a steady rate, and measures the time from the request until a reconcile reads the new generation.
async function latency(bench) {
  const manager = await newManager(bench);
  const progress = trackProgress(bench.count);
  const target = objectName(0);
  const arrivals = new Map();
  let last = 0;
  const controller = await setUp(manager, {
    workers: 1,
    writes: false,
    seen: (request, generation) => {
      progress.add(request);
      if (request.name !== target) return;
      // A reconcile that reads a generation has read all earlier ones, too.
      for (const now = performance.now(); last < generation; last += 1) arrivals.set(last + 1, now);
    },
  });
  const end = start(manager);
  await progress.complete;
  const live = createClient(bench.config);
  let gadget = await live.get(Gadget, { namespace: bench.namespace, name: target });
  const sent = new Map();
  const stop = startWatch();
  for (let next = performance.now(); sent.size < UPDATES; next += UPDATE_INTERVAL_MS) {
    await sleep(Math.max(0, next - performance.now()));
    sent.set(gadget.metadata.generation + 1, performance.now());
    gadget = await live.update({ ...gadget, spec: { ...gadget.spec, replicas: gadget.spec.replicas + 1 } });
  }
  await sleep(1000);
  const measured = stop();
  const delays = [...sent].filter(([each]) => arrivals.has(each)).map(([each, at]) => arrivals.get(each) - at);
  if (delays.length !== UPDATES) throw new Error(`${delays.length} of ${UPDATES} updates were reconciled`);
  controller.check();
  await end();
  return { ...measured, p50Ms: percentile(delays, 50), p99Ms: percentile(delays, 99) };
}

async function newManager({ config, namespace }, isStreamed = true) {
  return await createManager(config, {
    logger: silentLogger,
    metrics: { bindAddress: "0" },
    // Without bookmarks, the objects are listed.
    cache: { defaultNamespaces: { [namespace]: {} }, defaultEnableWatchBookmarks: isStreamed },
  });
}

// The controller reads a Gadget from the cache; with writes, it updates the status of each new generation.
async function setUp(manager, { workers, writes, seen }) {
  const client = manager.getClient();
  let failures = 0;
  const reconcile = async (request) => {
    const gadget = await ignoreNotFound(client.get(Gadget, request));
    if (gadget === undefined) return {};
    const { generation } = gadget.metadata;
    if (writes && gadget.status?.observedGeneration !== generation) {
      try {
        await client.status().update({ ...gadget, status: { ready: true, observedGeneration: generation } });
      } catch (error) {
        failures += 1;
        throw error;
      }
    }
    seen(request, generation);
    return {};
  };
  await newControllerManagedBy(manager)
    .for(Gadget)
    .withOptions({ maxConcurrentReconciles: workers })
    .complete({ reconcile });
  return {
    check: () => {
      if (failures > 0) throw new Error(`${failures} reconciles failed`);
    },
  };
}

// Starts a manager; the returned function stops it.
function start(manager) {
  const end = new AbortController();
  const running = handledLater(manager.start(end.signal));
  return async () => {
    end.abort();
    await running;
  };
}

// Counts distinct requests.
function trackProgress(count) {
  const names = new Set();
  let first = 0;
  let last = 0;
  let tell;
  return {
    complete: new Promise((resolve) => (tell = resolve)),
    add: ({ name }) => {
      if (names.size === count) return;
      if (names.size === 0) first = performance.now();
      names.add(name);
      if (names.size < count) return;
      last = performance.now();
      tell();
    },
    rate: () => (count - 1) / ((last - first) / 1000),
  };
}

function startWatch() {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  return () => {
    const seconds = (performance.now() - startedAt) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    return { seconds, cpuSeconds: (user + system) / 1e6, peakMB: process.resourceUsage().maxRSS / 1024 };
  };
}

// Reads the resident memory after the work, and after a collection. V8 releases its young generation in a collection after ten idle seconds.
async function settled(measured) {
  await sleep(SETTLE_MS);
  const settledMB = process.memoryUsage().rss / MIB;
  await sleep(IDLE_BEFORE_COLLECTION_MS);
  globalThis.gc();
  await sleep(SETTLE_MS);
  return { ...measured, settledMB, collectedMB: process.memoryUsage().rss / MIB };
}
