// The embedded API server beside kube-apiserver: the same clients in turn, each in a fresh process, and the medians. The client is a small Go program, or
// the client of the runtime where the embedded server is in its process.
// usage: node bench/server/compare.mjs [--rounds=3] [--scale=1] [WORKLOAD...]
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { createClient } from "@kubescaffold/runtime";

import { printLoad } from "../machine-load.mjs";
import { skipLoudly } from "../measuring.mjs";
import { configMapOf, newNamespace as createNamespace } from "../namespaces.mjs";
import { inTemporaryFolder } from "../places.mjs";
import { findRealServer } from "../real-server.mjs";
import { buildGo, median, startProcess } from "../runtime/beside-go.mjs";
import { TEXT_OF_3_KB } from "../workload-parts.mjs";
import { installDefinition } from "./definition.mjs";
import { residentMiB, startRealServer, startStandIn } from "./servers.mjs";

const CLIENT = fileURLToPath(new URL("client/", import.meta.url));
const PROGRAM = fileURLToPath(new URL("workloads.mjs", import.meta.url));
const SERVER = fileURLToPath(new URL("../serve-embedded.mjs", import.meta.url));
const SETTLE_MS = 4000;
const KIB_TEXT = "0123456789abcdef".repeat(50);

const SECONDS = { title: "time", unit: "s", of: ({ seconds }) => seconds };
const P50 = { title: "median time", unit: "ms", of: ({ p50Ms }) => p50Ms };
const P99 = { title: "p99", unit: "ms", of: ({ p99Ms }) => p99Ms };

// A ratio is that of the embedded server's figure to kube-apiserver's; `max` is absolute. `inProcess` runs the embedded server in the process of the client,
// and both have the client of the runtime.
const WORKLOADS = {
  create: {
    title: "10,000 ConfigMaps of 3 KB, created 32 at a time over TLS",
    count: 10_000,
    figures: [{ ...SECONDS, atMost: 1 / 1.5 }],
  },
  "create-in-process": {
    title: "the same in one process, beside kube-apiserver over TLS",
    workload: "create",
    count: 10_000,
    inProcess: true,
    figures: [{ ...SECONDS, atMost: 1 / 4 }],
  },
  list: {
    title: "a list of 10,000 ConfigMaps of 3 KB, in JSON",
    count: 10_000,
    existing: true,
    figures: [{ ...SECONDS, atMost: 0.5 }],
  },
  watch: {
    title: "1,000 creates, until each of 100 watchers has all events",
    count: 1000,
    figures: [{ ...SECONDS, atMost: 0.5 }],
  },
  apply: {
    title: "1,000 ConfigMaps of 3 KB, applied and changed by another apply, 8 at a time",
    count: 1000,
    figures: [{ ...SECONDS, atMost: 0.5 }],
  },
  "rules-in-process": {
    title: "a write of a custom resource with 5 CEL rules in one process, beside kube-apiserver over TLS",
    workload: "rules",
    count: 1000,
    inProcess: true,
    figures: [{ ...P50, max: 1 }],
  },
  latency: {
    title: "creates of 3 KB at 1,000 per second for 10 seconds",
    count: 10_000,
    figures: [P50, { ...P99, max: 10 }],
  },
};

const { values, positionals } = parseArgs({
  options: { rounds: { type: "string", default: "3" }, scale: { type: "string", default: "1" } },
  allowPositionals: true,
});
const all = [...Object.keys(WORKLOADS), "memory", "idle"];
const names = positionals.length === 0 ? all : positionals;
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`unknown workload ${unknown.join(", ")}: not one of ${all.join(", ")}`);
  process.exit(2);
}
let goClient;

if ((await findRealServer()) === undefined) {
  skipLoudly("the real server", "there is no kube-apiserver: run `npm run test:control-plane` once");
  process.exit(0);
}
const printLoadAtEnd = printLoad();
console.log("| Measurement | Embedded | kube-apiserver | Ratio | Target |\n|---|---|---|---|---|");
await inTemporaryFolder(async (folder) => {
  goClient = buildGo(path.join(folder, "client"), CLIENT);
  if (goClient === undefined) return;
  // Objects of other workloads would take time and memory.
  for (const name of names.filter((each) => Object.hasOwn(WORKLOADS, each)))
    await withServers(folder, async (servers) => await measure(name, servers));
  if (names.includes("memory")) await withServers(folder, measureMemory);
});
if (names.includes("idle")) await measureIdle();
printLoadAtEnd();

async function withServers(folder, work) {
  const servers = { embedded: await startStandIn(folder), real: await startRealServer(folder) };
  try {
    for (const { config } of Object.values(servers)) await installDefinition(config);
    // A real server delays writes of a new kind.
    await sleep(SETTLE_MS);
    await work(servers);
  } finally {
    for (const { stop } of Object.values(servers)) await stop();
  }
}

async function measure(name, servers) {
  const { workload = name, count, existing = false, inProcess = false, figures, title } = WORKLOADS[name];
  const scaled = Math.ceil(count * Number(values.scale));
  const measured = { embedded: [], real: [] };
  const shared = {};
  for (const [side, server] of Object.entries(servers)) {
    if (existing) shared[side] = await newNamespace(server, scaled, TEXT_OF_3_KB);
    // A server compiles its code, and its first requests are slow.
    await runFromGo(server, inProcess ? "create" : workload, { count: Math.ceil(scaled / 2), namespace: shared[side] });
  }
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [side, server] of Object.entries(servers)) {
      if (inProcess) measured[side].push(await runFromNode(side === "embedded" ? undefined : server, workload, scaled));
      else measured[side].push(await runFromGo(server, workload, { count: scaled, namespace: shared[side] }));
    }
  }
  for (const figure of figures) {
    const [ours, reference] = [measured.embedded, measured.real].map((runs) => median(runs.map(figure.of)));
    printRow(`${title}: ${figure.title}`, { ours, reference, ...figure });
  }
}

// Runs a workload in a fresh process of the Go client.
async function runFromGo(server, workload, { count, namespace }) {
  const place = namespace ?? (await newNamespace(server));
  return await startProcess(goClient, [workload, String(count), place, server.clientConfig]);
}

// Runs a workload in a fresh process of Node; without a server, the process runs the embedded one.
async function runFromNode(server, workload, count) {
  const place = server === undefined ? ["bench"] : [await newNamespace(server), server.kubeconfig];
  return await startProcess(process.execPath, [PROGRAM, workload, String(count), ...place]);
}

// The memory with many objects, of the processes of both servers.
async function measureMemory(servers) {
  const count = Math.ceil(100_000 * Number(values.scale));
  const resident = {};
  for (const [side, server] of Object.entries(servers)) {
    await newNamespace(server, count, KIB_TEXT);
    await sleep(SETTLE_MS);
    resident[side] = server.residentMiB();
  }
  const title = `${count.toLocaleString("en-US")} ConfigMaps of 1 KB: resident memory, with etcd`;
  printRow(title, { ours: resident.embedded, reference: resident.real, unit: "MiB", max: 400 });
}

// The memory of a process that serves an idle cluster with all controllers.
async function measureIdle() {
  const measured = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const child = spawn(process.execPath, [SERVER, "tls", "workloads"], { stdio: ["ignore", "pipe", "inherit"] });
    await once(createInterface({ input: child.stdout }), "line");
    await sleep(SETTLE_MS);
    measured.push(residentMiB(child.pid));
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  const title = "idle, with TLS and all controllers: resident memory";
  printRow(title, { ours: median(measured), unit: "MiB", max: 70 });
}

/** Creates a namespace with ConfigMaps. */
function newNamespace({ config }, count = 0, text = "") {
  return createNamespace(createClient(config), { content: configMapOf(text), count });
}

function printRow(title, { ours, reference, unit, atMost, max }) {
  const ratio = reference === undefined ? undefined : ours / reference;
  const isKept = (max === undefined || ours <= max) && (atMost === undefined || ratio <= atMost);
  const targets = [
    ...(max === undefined ? [] : [`≤ ${String(max)} ${unit}`]),
    ...(atMost === undefined ? [] : [`≤ ${String(Number(atMost.toFixed(2)))} ×`]),
  ];
  const cells = [
    title,
    `${rounded(ours)} ${unit}`,
    reference === undefined ? "" : `${rounded(reference)} ${unit}`,
    ratio === undefined ? "" : ratio.toFixed(2),
    `${targets.join(", ")}${isKept ? "" : " (missed)"}`,
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

function rounded(value) {
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(3);
}
