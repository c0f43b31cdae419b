// Reconciles that compute for some 20 ms, on the main thread and on worker threads: reconciles per second, and the delay of the event loop.
// usage: node bench/runtime/worker-threads.mjs
import { pbkdf2Sync } from "node:crypto";
import { availableParallelism } from "node:os";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

import { printLoad } from "../machine-load.mjs";

const COUNT = 200;
const ITERATIONS = 20_000;
const ROUNDS = 3;
const NS_PER_MS = 1e6;

if (isMainThread) {
  await compare();
} else {
  parentPort.on("message", ({ id, text }) => parentPort.postMessage({ id, result: compute(text) }, []));
}

// Stands for rendering, compression, or cryptography.
function compute(text) {
  return pbkdf2Sync(text, "salt", ITERATIONS, 64, "sha512").toString("hex");
}

async function compare() {
  const printLoadAtEnd = printLoad();
  console.log("| Computation | Reconciles per second | Event-loop delay, p99 |");
  console.log("|---|---|---|");
  const threads = availableParallelism();
  await row("on the main thread, 1 reconcile at a time", { workers: 1, pool: undefined });
  await row(`on the main thread, ${threads} at a time`, { workers: threads, pool: undefined });
  await row("on 1 worker thread", { workers: 1, pool: createPool(1) });
  await row(`on ${threads} worker threads`, { workers: threads, pool: createPool(threads) });
  printLoadAtEnd();
}

async function row(title, { workers, pool }) {
  const run = pool === undefined ? async (text) => compute(text) : pool.run;
  await reconcileAll(workers, run);
  const measured = [];
  for (let round = 0; round < ROUNDS; round += 1) measured.push(await reconcileAll(workers, run));
  await pool?.close();
  const middle = (of) => measured.map(of).toSorted((left, right) => left - right)[Math.floor(ROUNDS / 2)];
  console.log(
    `| ${title} | ${middle(({ rate }) => rate).toFixed(0)} | ${middle(({ delayMs }) => delayMs).toFixed(1)} ms |`,
  );
}

async function reconcileAll(maxConcurrentReconciles, run) {
  // Not in the workers, which need none of it.
  const { createUnmanagedController, metrics, realClock, silentLogger, source } = await import("@kubescaffold/runtime");
  const end = new AbortController();
  let remaining = COUNT;
  const reconciler = async ({ name }) => {
    await run(name);
    remaining -= 1;
    if (remaining === 0) end.abort();
  };
  const surroundings = { logger: silentLogger, clock: realClock, registry: metrics.createMetricsRegistry() };
  const controller = createUnmanagedController("bench", surroundings, { reconciler, maxConcurrentReconciles });
  await controller.watch(
    source.func(({ queue }) => {
      for (let index = 0; index < COUNT; index += 1) queue.add({ namespace: "default", name: `object-${index}` });
    }),
  );
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const start = performance.now();
  await controller.start(end.signal);
  const seconds = (performance.now() - start) / 1000;
  delays.disable();
  return { rate: COUNT / seconds, delayMs: delays.percentile(99) / NS_PER_MS };
}

function createPool(size) {
  const waiting = new Map();
  const workers = Array.from({ length: size }, () => {
    const worker = new Worker(new URL(import.meta.url));
    worker.on("message", ({ id, result }) => {
      waiting.get(id)(result);
      waiting.delete(id);
    });
    return worker;
  });
  let last = 0;
  return {
    run: (text) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        workers[last % size].postMessage({ id: last, text }, []);
      }),
    close: () => Promise.all(workers.map((worker) => worker.terminate())),
  };
}
