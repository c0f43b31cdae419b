// Two builds of Kubescaffold in turn: what both can run, each run in a fresh process, and how the medians relate. Each build is a checkout, with
// `npm ci` and `npm run build` done, and runs the programs of that checkout's `bench`.
// usage: node bench/compare-builds.mjs [--rounds=10] [--max-ratio=1.05] OLD_CHECKOUT [WORKLOAD...]
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { commandLineWorkloads } from "./builds/command-line.mjs";
import { queueWorkloads } from "./builds/queues.mjs";
import { runtimeWorkloads } from "./builds/runtime.mjs";
import { serverWorkloads } from "./builds/servers.mjs";
import { printLoad } from "./machine-load.mjs";
import { measureInTurn, quantile } from "./measuring.mjs";
import { inTemporaryFolder, programOf } from "./places.mjs";

const NEW_CHECKOUT = fileURLToPath(new URL("..", import.meta.url));

const { values, positionals } = parseArgs({
  options: { rounds: { type: "string", default: "10" }, "max-ratio": { type: "string", default: "1.05" } },
  allowPositionals: true,
});
const [oldCheckout, ...names] = positionals;
if (oldCheckout === undefined) {
  console.error("usage: node bench/compare-builds.mjs [--rounds=10] [--max-ratio=1.05] OLD_CHECKOUT [WORKLOAD...]");
  process.exit(2);
}
const builds = [path.resolve(oldCheckout), NEW_CHECKOUT];
for (const root of builds) {
  if (existsSync(programOf(root))) continue;
  console.error(
    `${root} has no ${path.relative(root, programOf(root))}: run \`npm ci\` and \`npm run build\` there first`,
  );
  process.exit(2);
}

const printLoadAtEnd = printLoad();
let isKept = true;
await inTemporaryFolder(async (folder) => {
  const workloads = [
    ...commandLineWorkloads(folder),
    ...queueWorkloads(),
    ...serverWorkloads(folder),
    ...runtimeWorkloads(folder),
  ];
  const unknown = names.filter((name) => !workloads.some((each) => each.name === name));
  if (unknown.length > 0) {
    console.error(`unknown workload ${unknown.join(", ")}: not one of ${workloads.map(({ name }) => name).join(", ")}`);
    process.exit(2);
  }
  console.log(
    "| Workload | Old: median | fastest to p90 | New: median | fastest to p90 | Ratio |\n|---|---|---|---|---|---|",
  );
  for (const workload of workloads)
    if (names.length === 0 || names.includes(workload.name)) printRow(workload, await measure(workload));
});
printLoadAtEnd();
process.exitCode = isKept ? 0 : 1;

// A workload has `prepare`, which returns the function that is measured for a build and what ends it, or undefined when the machine lacks what it needs.
async function measure({ prepare, warmUps = 1 }) {
  const prepared = [];
  try {
    for (const root of builds) prepared.push(await prepare(root));
    if (prepared.includes(undefined)) return undefined;
    return await measureInTurn(
      prepared.map(({ run }) => run),
      { rounds: Number(values.rounds), warmUps },
    );
  } finally {
    for (const each of prepared) await each?.end?.();
  }
}

function printRow({ title, unit = "ms" }, measured) {
  if (measured === undefined) {
    console.log(`| ${title} | not measured | | | | |`);
    return;
  }
  const [older, newer] = measured;
  const ratio = quantile(newer, 0.5) / quantile(older, 0.5);
  const isWithin = ratio <= Number(values["max-ratio"]);
  isKept &&= isWithin;
  const cells = [older, newer].flatMap((runs) => [
    `${rounded(quantile(runs, 0.5))} ${unit}`,
    `${rounded(Math.min(...runs))} to ${rounded(quantile(runs, 0.9))}`,
  ]);
  console.log(`| ${[title, ...cells, `${ratio.toFixed(3)}${isWithin ? "" : " (missed)"}`].join(" | ")} |`);
}

function rounded(value) {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
