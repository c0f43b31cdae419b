// The runtime beside controller-runtime on a real control plane: the same work in turn, each in a fresh process, and the medians.
// usage: node bench/runtime/cluster.mjs [--rounds=3] [--scale=1] [WORKLOAD...]
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { printLoad } from "../machine-load.mjs";
import { skipLoudly } from "../measuring.mjs";
import { newNamespace } from "../namespaces.mjs";
import { inTemporaryFolder } from "../places.mjs";
import { findRealServer } from "../real-server.mjs";
import { buildGo, median, startProcess } from "./beside-go.mjs";
import { CONTENTS, NODE_OPTIONS, startGadgetServer } from "./gadget-server.mjs";

const PROGRAM = fileURLToPath(new URL("cluster-workloads.mjs", import.meta.url));

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
  const { client, kubeconfig, stop } = await startGadgetServer(folder);
  try {
    const sides = {
      ours: [...NODE_OPTIONS, PROGRAM],
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
    await stop();
  }
}

// The first requests of a server are slow.
async function warmUp(client, run, sides) {
  for (const side of sides) {
    await run(side, "create", 1000, await newNamespace(client));
    await run(side, "reconcile-10", 1000, await newNamespace(client, { content: CONTENTS.gadget, count: 1000 }));
  }
}

async function measureInTurn(client, { name, count, run, sides }) {
  const measured = Object.fromEntries(sides.map((side) => [side, []]));
  const writes = ["create", "reconcile-10"].includes(name);
  const objects = { content: name.startsWith("sync") ? CONTENTS.configMap : CONTENTS.gadget, count };
  const shared = writes ? undefined : await newNamespace(client, objects);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const side of sides) {
      const namespace = shared ?? (await newNamespace(client, name === "create" ? {} : objects));
      measured[side].push(await run(side, WORKLOADS[name][side] ?? name, count, namespace));
    }
  }
  return measured;
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
