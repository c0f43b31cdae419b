// `npm run simulate`: two managers, a user, and a server on a simulated clock and network, with the delays, faults, and restarts of many seeds.
//
// node scripts/simulate.mjs [--count 1000] [--seed 1]
//
// Each processor runs a part of the seeds. Ends with status 1 when a schedule breaks an invariant: prints the smallest script that does, and its trace.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { ROOT, ensureInstalled } from "./ensure-installed.mjs";

const PROGRAM = path.join(ROOT, "packages", "envtest", "test", "simulation", "run-seeds.ts");

const { values } = parseArgs({
  options: { count: { type: "string", default: "1000" }, seed: { type: "string", default: "1" } },
});
const [count, seed] = [Number(values.count), Number(values.seed)];
if (!Number.isInteger(count) || !Number.isInteger(seed) || count < 1) {
  console.error("usage: node scripts/simulate.mjs [--count <number of schedules>] [--seed <first seed>]");
  process.exit(2);
}

ensureInstalled();
const start = performance.now();
const program = await bundled();
const lanes = Math.min(count, availableParallelism());
const results = await Promise.all(Array.from({ length: lanes }, (_, lane) => runPart(lane)));
const figures = results.map(({ output }) => JSON.parse(output.trim().split("\n").at(-1) || "{}"));
const sum = (key) => String(figures.reduce((total, each) => total + (each[key] ?? 0), 0));
console.log(
  `${sum("schedules")} schedules in ${((performance.now() - start) / 1000).toFixed(0)} s: ${sum("steps")} steps, ${sum("events")} requests, responses, and events, ` +
    `${sum("faults")} faults, ${sum("failures")} failures; longest convergence ${String(Math.max(...figures.map(({ longestMs = 0 }) => longestMs)) / 1000)} simulated s`,
);
rmSync(path.dirname(program), { recursive: true, force: true });
process.exit(results.every(({ status }) => status === 0) ? 0 : 1);

// A bundle runs faster than modules that are compiled one by one when they are loaded, which keeps the names of all functions at run time.
async function bundled() {
  const { build } = await import("esbuild");
  const caches = path.join(ROOT, "node_modules", ".cache");
  mkdirSync(caches, { recursive: true });
  const folder = mkdtempSync(path.join(caches, "simulation-"));
  const outfile = path.join(folder, "run-seeds.mjs");
  const librariesOutside = {
    name: "libraries outside",
    setup: ({ onResolve }) => {
      onResolve({ filter: /^[^.]/ }, ({ path: name, kind }) =>
        kind === "entry-point" || name.startsWith("@kubescaffold/") ? undefined : { path: name, external: true },
      );
    },
  };
  await build({
    entryPoints: [PROGRAM],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@kubescaffold/source"],
    plugins: [librariesOutside],
    logLevel: "error",
  });
  return outfile;
}

function runPart(lane) {
  const size = Math.ceil(count / lanes);
  const first = seed + lane * size;
  const args = [program, String(first), String(Math.min(size, seed + count - first))];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("close", (status) => resolve({ status, output }));
  });
}
