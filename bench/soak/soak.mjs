// `npm run soak`: a manager with thousands of objects under constant writes, for an hour.
//
// node bench/soak/soak.mjs [--minutes 60] [--objects 10000] [--writes 50] [--seed 1] [--server embedded|real] [--interval 10] [--output bench/soak]
//
// Half of the objects are ConfigMaps, which a user writes at a rate per second; the others are Secrets, into which the manager copies them. Samples every
// ten seconds are written to soak.csv, and plotted in soak.svg. Ends with status 1 if the server, the cache, or the memory is not as it must be.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { createClient } from "@kubescaffold/runtime";

import { startChild } from "./child.mjs";
import { User } from "./objects.mjs";
import { toSvg } from "./plot.mjs";
import { growthOf, median, toCsv } from "./samples.mjs";

const LARGEST_GROWTH = 0.05;
// Before, the history of the server fills, and V8 sizes its heap.
const SHORTEST_MEMORY_CHECK_MINUTES = 5;
const CONVERGENCE_MS = 120_000;
const SETTLING_MS = 200;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    objects: { type: "string", default: "10000" },
    writes: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    server: { type: "string", default: "embedded" },
    interval: { type: "string", default: "10" },
    output: { type: "string", default: fileURLToPath(new URL(".", import.meta.url)) },
  },
});
const [minutes, objects, writes, intervalSeconds] = ["minutes", "objects", "writes", "interval"].map(numberOf);

const load = loadavg()[0];
const server = await startChild("server.mjs", [values.server]);
const manager = await startChild("manager.mjs");
try {
  process.exitCode = (await soak()) ? 0 : 1;
} finally {
  await manager.stop();
  await server.stop();
}

async function soak() {
  const user = new User(createClient(server.ready), Number(values.seed));
  console.log(`creating ${String(objects / 2)} ConfigMaps on the ${values.server} server`);
  await user.createAll(objects / 2);
  await manager.ask("start", server.ready);
  await converge(user);
  await manager.ask("sample");
  const samples = await measure(user);
  const violations = [...(await converge(user)), ...(await staleObjects(user)), ...growing(samples)];
  write(samples);
  report(samples, user, violations);
  return violations.length === 0;
}

// Writes stop while a sample is taken: its garbage collections would delay them.
async function measure(user) {
  const samples = [];
  for (let elapsedSeconds = 0; elapsedSeconds < minutes * 60; elapsedSeconds += intervalSeconds) {
    await user.churn(writes, AbortSignal.timeout(intervalSeconds * 1000));
    await pause(SETTLING_MS);
    const [ofManager, ofServer] = [await manager.ask("sample"), await server.ask("memory")];
    const isEmbedded = values.server === "embedded";
    samples.push({
      seconds: elapsedSeconds + intervalSeconds,
      writes: user.writes,
      serverRssMiB: isEmbedded ? ofServer.rssMiB : 0,
      serverHeapMiB: isEmbedded ? ofServer.heapMiB : 0,
      ...ofManager,
    });
    // A run that is interrupted leaves its samples.
    write(samples);
  }
  return samples;
}

// Waits until the Secrets have the values of the ConfigMaps; returns the differences that remain.
async function converge(user) {
  const limit = performance.now() + CONVERGENCE_MS;
  for (;;) {
    const differences = await user.differences();
    if (differences.length === 0 || performance.now() > limit) return differences;
    await pause(200);
  }
}

// The cache must have every object of the server in its version, and no other.
async function staleObjects(user) {
  const limit = performance.now() + CONVERGENCE_MS;
  for (;;) {
    const [live, cached] = [await user.versions(), new Map(await manager.ask("cache"))];
    const stale = [...live].filter(([key, version]) => cached.get(key) !== version).map(([key]) => `stale: ${key}`);
    const surplus = [...cached.keys()].filter((key) => !live.has(key)).map((key) => `deleted, but cached: ${key}`);
    const violations = [...stale, ...surplus];
    if (violations.length === 0 || performance.now() > limit) return violations.slice(0, 10);
    await pause(200);
  }
}

function growing(samples) {
  if (minutes < SHORTEST_MEMORY_CHECK_MINUTES) {
    console.log(`memory is checked only in runs of at least ${String(SHORTEST_MEMORY_CHECK_MINUTES)} minutes`);
    return [];
  }
  return ["rssMiB", "heapMiB", "serverRssMiB", "serverHeapMiB"].flatMap((column) => {
    const growth = growthOf(samples, column);
    return growth < LARGEST_GROWTH ? [] : [`${column} grew by ${percent(growth)} in the last half`];
  });
}

function report(samples, user, violations) {
  const of = (column) => median(samples.map((sample) => sample[column]));
  const most = (column) => Math.max(...samples.map((sample) => sample[column]));
  const total = (column) => samples.reduce((sum, sample) => sum + sample[column], 0);
  const [processor] = cpus();
  console.log(`
Node ${process.version}, ${String(cpus().length)} × ${processor?.model.trim() ?? "unknown"}, load ${load.toFixed(1)} at the start
${String(minutes)} minutes, ${String(objects)} objects, ${values.server} server, ${String(writes)} writes per second: ${String(user.writes)} writes, ${String(total("reconciles"))} reconciles, ${String(total("errors"))} of them failed

| Figure | Median of the samples | Maximum | Growth in the last half |
|---|---|---|---|
${[
  ["manager, RSS", "rssMiB", "MiB"],
  ["manager, heap after garbage collection", "heapMiB", "MiB"],
  ["server, RSS", "serverRssMiB", "MiB"],
  ["server, heap after garbage collection", "serverHeapMiB", "MiB"],
  ["event-loop delay, p50", "delayP50Ms", "ms"],
  ["event-loop delay, p99", "delayP99Ms", "ms"],
  ["event-loop delay, maximum", "delayMaxMs", "ms"],
  ["queue depth", "queueDepth", ""],
  ["from a write to its reconcile, p50", "latencyP50Ms", "ms"],
  ["from a write to its reconcile, p99", "latencyP99Ms", "ms"],
]
  .map(([title, column, unit]) => {
    const growth = unit === "MiB" ? percent(growthOf(samples, column)) : "";
    return `| ${title} | ${of(column).toFixed(1)} ${unit} | ${most(column).toFixed(1)} ${unit} | ${growth} |`;
  })
  .join("\n")}
`);
  for (const violation of violations) console.error(`BROKEN: ${violation}`);
  if (violations.length === 0) console.log("the server, the cache, and the memory are as they must be");
}

function write(samples) {
  mkdirSync(values.output, { recursive: true });
  writeFileSync(path.join(values.output, "soak.csv"), toCsv(samples));
  const title = `${String(objects)} objects, ${String(writes)} writes per second, ${values.server} server`;
  writeFileSync(path.join(values.output, "soak.svg"), toSvg(samples, title));
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}

function numberOf(name) {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`--${name} must be a positive number: ${values[name]}`);
}
