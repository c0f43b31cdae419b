// The runtime beside controller-runtime on a real control plane: the same work in turn, each in a fresh process, and the medians.
// usage: node bench/runtime/cluster.mjs [--rounds=3] [--scale=1] [WORKLOAD...]
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { Environment } from "@kubescaffold/envtest";
import { defineKind } from "@kubescaffold/k8s";
import { ConfigMap, Namespace } from "@kubescaffold/k8s/core/v1";
import { createClient } from "@kubescaffold/runtime";

import { printLoad } from "../machine-load.mjs";
import { skipLoudly } from "../measuring.mjs";
import { inTemporaryFolder } from "../places.mjs";
import { findRealServer } from "../real-server.mjs";
import { inFlight, objectName, TEXT_OF_3_KB } from "../workload-parts.mjs";
import { buildGo, median, startProcess } from "./beside-go.mjs";

const PROGRAM = fileURLToPath(new URL("cluster-workloads.mjs", import.meta.url));
const CRD = fileURLToPath(new URL("gadget.yaml", import.meta.url));
const CRD_SETTLE_MS = 4000;
const IN_FLIGHT = 32;
const Gadget = defineKind({ group: "bench.kubescaffold.dev", version: "v1" }, "Gadget");

const SECONDS = { title: "time", unit: "s", of: ({ seconds }) => seconds };
const CPU = { title: "CPU time", unit: "s", of: ({ cpuSeconds }) => cpuSeconds };
const PEAK = { title: "peak memory", unit: "MiB", of: ({ peakMB }) => peakMB };
const SETTLED = { title: "resident memory", unit: "MiB", of: ({ settledMB }) => settledMB };
const COLLECTED = { title: "memory after a collection", unit: "MiB", of: ({ collectedMB }) => collectedMB };
const RATE = { title: "reconciles per second", unit: "/s", of: ({ rate }) => rate };
const P50 = { title: "p50", unit: "ms", of: ({ p50Ms }) => p50Ms };
const P99 = { title: "p99", unit: "ms", of: ({ p99Ms }) => p99Ms };

// A figure's ratio to the reference is at most `atMost`, at least `atLeast`; `max` is absolute.
const WORKLOADS = {
  create: {
    title: "ConfigMaps of 3 KB, created 32 at a time",
    count: 10_000,
    figures: [
      { ...SECONDS, atMost: 1 },
      { ...CPU, atMost: 1.2 },
    ],
  },
  "sync-list": {
    title: "cache of ConfigMaps of 3 KB, from a list",
    count: 50_000,
    figures: [{ ...SECONDS, atMost: 0.8 }, CPU, { ...PEAK, atMost: 0.8 }, { ...COLLECTED, atMost: 1.2 }],
  },
  "sync-stream": {
    title: "cache of ConfigMaps of 3 KB, streamed",
    count: 50_000,
    figures: [{ ...SECONDS, atMost: 0.8 }, CPU, PEAK, { ...COLLECTED, atMost: 1.2 }],
  },
  // Go lists faster than it streams.
  "sync-stream-beside-list": {
    title: "cache of ConfigMaps of 3 KB, streamed, beside Go's list",
    count: 50_000,
    ours: "sync-stream",
    go: "sync-list",
    figures: [
      { ...SECONDS, atMost: 0.8 },
      { ...PEAK, atMost: 0.8 },
    ],
  },
  "reconcile-10": {
    title: "first reconciles with a status update, 10 workers",
    count: 10_000,
    figures: [{ ...SECONDS, atMost: 1 }, { ...CPU, atMost: 1.2 }, PEAK],
  },
  read: {
    title: "first reconciles with nothing to do",
    count: 10_000,
    figures: [{ ...RATE, atLeast: 1 }, SECONDS, { ...PEAK, atMost: 1.8 }],
  },
  latency: {
    title: "from an update until a reconcile reads it, 50 updates per second",
    count: 10_000,
    figures: [
      { ...P50, atMost: 1 },
      { ...P99, atMost: 1 },
    ],
  },
  idle: { title: "idle manager", count: 0, figures: [{ ...SETTLED, max: 75 }] },
};

let namespaces = 0;

const { values, positionals } = parseArgs({
  options: { rounds: { type: "string", default: "3" }, scale: { type: "string", default: "1" } },
  allowPositionals: true,
});

if ((await findRealServer()) === undefined) {
  skipLoudly("the real server", "there is no kube-apiserver: run `npm run test:control-plane` once");
  process.exit(0);
}
const printLoadAtEnd = printLoad();
await inTemporaryFolder(compare);
printLoadAtEnd();

async function compare(folder) {
  const go = buildGo(path.join(folder, "runtime-bench"));
  const environment = new Environment({
    backend: "binaries",
    controllers: false,
    crdDirectoryPaths: [CRD],
    etcdArgs: ["--unsafe-no-fsync"],
    apiServerArgs: [
      "--enable-priority-and-fairness=false",
      "--max-requests-inflight=0",
      "--max-mutating-requests-inflight=0",
    ],
  });
  const client = createClient(await environment.start());
  try {
    const kubeconfig = path.join(folder, "kubeconfig");
    await environment.writeKubeconfig(kubeconfig);
    // The server delays writes of a new kind.
    await new Promise((resolve) => setTimeout(resolve, CRD_SETTLE_MS));
    // As the image of a generated project starts Node.
    const sides = {
      ours: ["--liftoff-only", "--max-semi-space-size=8", "--v8-pool-size=1", "--expose-gc", PROGRAM],
      ...(go === undefined ? {} : { go: [] }),
    };
    const run = (side, name, count, namespace) =>
      startProcess(side === "go" ? go : process.execPath, [...sides[side], name, String(count), kubeconfig, namespace]);
    await warmUp(client, run, Object.keys(sides));
    console.log("| Workload | Ours | Go | Ratio | Target |");
    console.log("|---|---|---|---|---|");
    for (const name of positionals.length === 0 ? Object.keys(WORKLOADS) : positionals) {
      const count = Math.ceil(WORKLOADS[name].count * Number(values.scale));
      const measured = await measureInTurn(client, { name, count, run, sides: Object.keys(sides) });
      for (const figure of WORKLOADS[name].figures) console.log(rowOf(name, count, { figure, measured }));
    }
  } finally {
    await environment.stop();
  }
}

// The first requests of a server are slow.
async function warmUp(client, run, sides) {
  for (const side of sides) {
    await run(side, "create", 1000, await newNamespace(client));
    await run(side, "reconcile-10", 1000, await newNamespace(client, Gadget, 1000));
  }
}

async function measureInTurn(client, { name, count, run, sides }) {
  const measured = Object.fromEntries(sides.map((side) => [side, []]));
  const writes = ["create", "reconcile-10"].includes(name);
  const kind = name === "create" ? undefined : name.startsWith("sync") ? ConfigMap : Gadget;
  const shared = writes ? undefined : await newNamespace(client, kind, count);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const side of sides) {
      const namespace = shared ?? (await newNamespace(client, kind, kind === undefined ? 0 : count));
      measured[side].push(await run(side, WORKLOADS[name][side] ?? name, count, namespace));
    }
  }
  return measured;
}

/** Creates a namespace with objects of a kind. */
async function newNamespace(client, kind, count = 0) {
  namespaces += 1;
  const namespace = `bench-${String(namespaces)}`;
  await client.create(Namespace.create({ metadata: { name: namespace } }));
  const content =
    kind === Gadget
      ? { spec: { image: "registry.example.com/team/gadget:v1.2.3", replicas: 1 } }
      : { data: { text: TEXT_OF_3_KB } };
  await inFlight(count, IN_FLIGHT, async (index) => {
    await client.create(kind.create({ metadata: { namespace, name: objectName(index) }, ...content }));
  });
  return namespace;
}

function rowOf(name, count, { figure, measured }) {
  const ours = median(measured.ours.map(figure.of));
  const reference = measured.go === undefined ? undefined : median(measured.go.map(figure.of));
  const ratio = reference === undefined ? undefined : ours / reference;
  const title = `${count === 0 ? "" : `${count.toLocaleString("en-US")} `}${WORKLOADS[name].title}: ${figure.title}`;
  return `| ${[
    title,
    `${round(ours)} ${figure.unit}`,
    reference === undefined ? "not measured" : `${round(reference)} ${figure.unit}`,
    ratio === undefined ? "–" : ratio.toFixed(2),
    targetOf(figure, { ours, ratio }),
  ].join(" | ")} |`;
}

function targetOf({ atMost, atLeast, max, unit }, { ours, ratio }) {
  const [text, isKept] =
    max !== undefined
      ? [`≤ ${String(max)} ${unit}`, ours <= max]
      : atMost !== undefined
        ? [`≤ ${String(atMost)} ×`, ratio === undefined || ratio <= atMost]
        : atLeast !== undefined
          ? [`≥ ${String(atLeast)} ×`, ratio === undefined || ratio >= atLeast]
          : ["", true];
  return isKept ? text : `${text} (missed)`;
}

function round(value) {
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(3);
}
