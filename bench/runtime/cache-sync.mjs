// From the start of a cache until it has all ConfigMaps: duration, the longest stall of the event loop, CPU time, and memory.
// usage: node bench/runtime/cache-sync.mjs [COUNT...]; with KUBECONFIG_BENCH the server of that kubeconfig, as it is.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

import { handledLater } from "@kubescaffold/platform";
import { createCache, createClient, getConfig, silentLogger } from "@kubescaffold/runtime";

const SELF = fileURLToPath(import.meta.url);
const LIST_SERVER = fileURLToPath(new URL("list-server.mjs", import.meta.url));
const CONFIG_MAP = { group: "", version: "v1", kind: "ConfigMap" };
const MIB = 2 ** 20;

await main(process.argv.slice(2));

async function main([command, ...args]) {
  if (command === "sync") {
    process.stdout.write(`${JSON.stringify(await sync(args[0], args[1]))}\n`);
    return;
  }
  const counts = [command, ...args].filter((count) => count !== undefined);
  print([
    "server",
    "objects",
    "seconds",
    "longest stall ms",
    "the same, CPU ms",
    "p99 ms",
    "CPU s",
    "peak RSS MiB",
    "namespaced list ms",
  ]);
  print(["---", "---", "---", "---", "---", "---", "---", "---", "---"]);
  if (process.env.KUBECONFIG_BENCH !== undefined) {
    for (const mode of ["stream", "list"]) {
      print([`kubeconfig, ${mode}`, ...rowOf(measure(process.env.KUBECONFIG_BENCH, mode))]);
    }
    return;
  }
  for (const count of counts.length === 0 ? ["1000", "10000", "50000"] : counts) {
    for (const mode of ["stream", "list"]) print([mode, ...rowOf(await measureLocal(count, mode))]);
  }
}

async function measureLocal(count, mode) {
  const server = spawn(process.execPath, [LIST_SERVER, count, mode], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [address] = await once(server.stdout, "data");
    return measure(String(address).trim(), mode);
  } finally {
    server.kill();
  }
}

// Each measurement has its own process.
function measure(target, mode) {
  return JSON.parse(execFileSync(process.execPath, [SELF, "sync", target, mode], { encoding: "utf8" }));
}

async function sync(target, mode) {
  const config = target.startsWith("http") ? { server: target } : await getConfig({ kubeconfig: target });
  const cache = createCache(createClient(config), {
    logger: silentLogger,
    // Without bookmarks, the objects are listed.
    defaultEnableWatchBookmarks: mode === "stream",
  });
  const informer = await cache.getInformer(CONFIG_MAP, { blockUntilSynced: false });
  let received = 0;
  informer.addEventHandler({ onAdd: () => void (received += 1), onUpdate: () => undefined, onDelete: () => undefined });
  const stop = new AbortController();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const turns = measureTurns();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  delay.enable();
  const running = handledLater(cache.start(stop.signal));
  await informer.waitForSync(stop.signal);
  const seconds = (performance.now() - startedAt) / 1000;
  const { items } = await cache.list(CONFIG_MAP);
  while (received < items.length) await new Promise((resolve) => setImmediate(resolve));
  delay.disable();
  const turnMs = turns.stop();
  const { user, system } = process.cpuUsage(cpu);
  const listedAt = performance.now();
  await cache.list(CONFIG_MAP, { namespace: items[0].metadata.namespace });
  const listMs = performance.now() - listedAt;
  stop.abort();
  await running;
  return {
    objects: items.length,
    seconds,
    stallMs: delay.max / 1e6,
    turnMs,
    p99Ms: delay.percentile(99) / 1e6,
    cpuSeconds: (user + system) / 1e6,
    peakMiB: process.resourceUsage().maxRSS / 1024,
    rssMiB: process.memoryUsage().rss / MIB,
    listMs,
  };
}

// A busy machine interrupts the process, so the longest turn is measured in CPU time of the main thread, too; Linux only.
function measureTurns() {
  const file = `/proc/self/task/${String(process.pid)}/schedstat`;
  const readMs = () => (existsSync(file) ? Number(readFileSync(file, "utf8").split(" ", 1)[0]) / 1e6 : 0);
  let last = readMs();
  let longest = 0;
  const tick = () => {
    const now = readMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(tick, 1);
  return {
    stop: () => {
      clearInterval(timer);
      return longest;
    },
  };
}

function rowOf({ objects, seconds, stallMs, turnMs, p99Ms, cpuSeconds, peakMiB, listMs }) {
  return [objects, ...[seconds, stallMs, turnMs, p99Ms, cpuSeconds, peakMiB, listMs].map((value) => value.toFixed(2))];
}

function print(cells) {
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}
