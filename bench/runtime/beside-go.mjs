// Runs workloads of the runtime and of the Go program in turn, each in a fresh process, and compares the medians.
import { execFile, spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { skipLoudly } from "../measuring.mjs";
import { inTemporaryFolder } from "../places.mjs";

const ROUNDS = 3;

/** Measures the workload that the arguments name, or compares all of them: `{ name, count, run }`, where `run` receives the requests. */
export async function compareWorkloads(moduleUrl, workloads) {
  const program = fileURLToPath(moduleUrl);
  if (path.resolve(process.argv[1]) !== program) return;
  const [, , name, count] = process.argv;
  if (name === undefined) await compareAll(program, workloads);
  else await measure(workloads[name], Number(count));
}

async function measure({ run }, count) {
  const requests = Array.from({ length: count }, (_, index) => ({
    namespace: "bench",
    name: `object-${String(index).padStart(7, "0")}`,
  }));
  globalThis.gc?.();
  const cpu = process.cpuUsage();
  const start = performance.now();
  await run(requests);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const peakMB = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, peakMB }));
  process.exit(0);
}

async function compareAll(program, workloads) {
  await inTemporaryFolder(async (folder) => {
    const go = buildGo(path.join(folder, "runtime-bench"));
    console.log("| Workload | Count | Ours, per CPU second | Go | Ratio | Ours, peak | Go | Ratio |");
    console.log("|---|---|---|---|---|---|---|---|");
    for (const [name, { count }] of Object.entries(workloads)) {
      const [ours, reference] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        ours.push(await startProcess(process.execPath, [program, name, String(count)]));
        if (go !== undefined) reference.push(await startProcess(go, [name, String(count)]));
      }
      console.log(rowOf(name, count, { ours, reference }));
    }
  });
}

/** Builds the Go program of a folder, or says loudly that it is missing. */
export function buildGo(output, folder = fileURLToPath(new URL("go/", import.meta.url))) {
  const { status, stderr, error } = spawnSync("go", ["build", "-o", output, "."], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status === 0) return output;
  skipLoudly("the Go program", error?.message ?? stderr.trim());
  return undefined;
}

/** Runs a program that prints one line of JSON. Throws when it fails. */
export async function startProcess(command, args) {
  const { stdout } = await promisify(execFile)(command, args);
  return JSON.parse(stdout);
}

function rowOf(name, count, { ours, reference }) {
  const rate = (runs) => count / median(runs.map(({ cpuSeconds }) => cpuSeconds));
  const peak = (runs) => median(runs.map(({ peakMB }) => peakMB));
  const compared = [rate, peak].flatMap((figure) => [
    String(Math.round(figure(ours))),
    reference.length === 0 ? "not measured" : String(Math.round(figure(reference))),
    reference.length === 0 ? "–" : (figure(ours) / figure(reference)).toFixed(2),
  ]);
  return `| ${[name, count, ...compared].join(" | ")} |`;
}

/** Returns the median of numbers. */
export function median(values) {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];
}
