// Starts a manager that caches all Pods of a server; sends the port of its probes, and then its memory and the delays of its event loop.
import { monitorEventLoopDelay } from "node:perf_hooks";

import { Pod } from "@kubescaffold/k8s/core/v1";

import { silentLogger } from "../../../src/log/logger.ts";
import { createManager } from "../../../src/manager/create-manager.ts";

/** The messages of the program, in this order. */
export type Message =
  | { readonly kind: "started"; readonly healthPort: number }
  | { readonly kind: "synced"; readonly count: number; readonly delayP99Ms: number; readonly rss: Memory };

/** Resident sets in bytes: before the cache, at most, and after it has synced and garbage was collected. */
export interface Memory {
  readonly base: number;
  readonly peak: number;
  readonly settled: number;
}

const RESOLUTION_MS = 10;
const SAMPLE_MS = 50;
const COLLECTIONS = 5;

const manager = await createManager(
  { server: process.argv[2] ?? "" },
  { logger: silentLogger, metrics: { bindAddress: "0" }, healthProbeBindAddress: "127.0.0.1:0" },
);
manager.addHealthzCheck("alive", () => undefined);
await manager.getCache().getInformer(Pod);
globalThis.gc?.();
const base = process.memoryUsage.rss();
let peak = base;
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, SAMPLE_MS).unref();
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
const stopping = new AbortController();
const running = manager.start(stopping.signal);
while (manager.ports.health === undefined) await pause();
send({ kind: "started", healthPort: manager.ports.health });
// The manager starts its controllers, of which there are none, after its caches have synced.
await Promise.race([manager.elected, running]);
delay.disable();
const { items } = await manager.getCache().list(Pod);
const rss = { base, peak, settled: await settledMemory() };
send({ kind: "synced", count: items.length, delayP99Ms: delay.percentile(99) / 1e6 - RESOLUTION_MS, rss });
// The parent ends its probes first.
process.once("disconnect", () => stopping.abort());
await running;

// V8 returns memory some time after a collection.
async function settledMemory(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < COLLECTIONS; round += 1) {
    globalThis.gc?.();
    await pause(200);
    least = Math.min(least, process.memoryUsage.rss());
  }
  return least;
}

function send(message: Message): void {
  process.send?.(message);
}

async function pause(ms = 5): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
