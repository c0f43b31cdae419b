// `npm run figures`: how much there is to open and to read. Prints sizes of files per part and each figure beside its limit, and writes the table of limits into
// CONTRIBUTING.md. `test/architecture/figures.test.ts` fails for a figure above its limit, and for a table that is not current.
//
// node scripts/figures.mjs [--files] [--flow=<name>] [--json]
//
// --files also lists the files of each flow and the small files; --flow measures one flow alone; --json prints the figures as JSON and writes nothing.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

import { ROOT, ensureInstalled, runStatus } from "./ensure-installed.mjs";
import { LIMITS, withTable } from "./figures/limits.mjs";

const SOURCES = "--conditions=@kubescaffold/source";
const FLOW = "--flow=";
const GUIDE = path.join(ROOT, "CONTRIBUTING.md");
const FLOWS = {
  patch: async () => (await import("./figures/patch-flow.mjs")).patchFlow(),
  reconcile: async () => (await import("./figures/reconcile-flow.mjs")).reconcileFlow(),
  "create-api": async () => (await import("./figures/create-api-flow.mjs")).createApiFlow(),
  restart: async () => (await import("./figures/restart-flow.mjs")).restartFlow(),
};

if (process.execArgv.includes(SOURCES)) {
  const only = process.argv.find((argument) => argument.startsWith(FLOW))?.slice(FLOW.length);
  const listsFiles = process.argv.includes("--files");
  if (process.argv.includes("--json")) console.log(JSON.stringify(await measure(only)));
  else await print(only, listsFiles);
  // A flow may leave sockets or timers behind that keep the process.
  process.exit(process.exitCode ?? 0);
}
ensureInstalled();
process.exitCode = runStatus(process.execPath, [
  SOURCES,
  "--import",
  "tsx",
  path.join(ROOT, "scripts", "figures.mjs"),
  ...process.argv.slice(2),
]);

async function measure(only) {
  if (only !== undefined) return { [only]: (await FLOWS[only]()).length };
  const { measureSources } = await import("./figures/sources.mjs");
  return measureSources().figures;
}

async function print(only, listsFiles) {
  const figures = only === undefined ? await printSources(listsFiles) : {};
  const flows = Object.keys(FLOWS).filter((name) => only === undefined || name === only);
  const files = {};
  for (const name of flows) files[name] = await FLOWS[name]();
  console.log("");
  for (const { figure, flow, atMost, aim } of LIMITS) {
    const value = flow === undefined ? figures[figure] : files[flow]?.length;
    if (value === undefined) continue;
    console.log(`${String(value).padStart(6)}  at most ${String(atMost)}, aim ${String(aim)}: ${figure}`);
    if (listsFiles) for (const file of files[flow] ?? []) console.log(`          ${file}`);
  }
  if (only === undefined) writeFileSync(GUIDE, withTable(readFileSync(GUIDE, "utf8")));
}

async function printSources(listsFiles) {
  const { measureSources } = await import("./figures/sources.mjs");
  const { parts, small, bags, figures } = measureSources();
  console.log(`${"part".padEnd(22)} files  median  p90  max  one importer  …of ≤ 45 lines  parameter bags`);
  for (const { part, files, median, p90, max, oneImporter, smallOnes, bagCount } of parts) {
    const cells = [files, median, p90, max, oneImporter, smallOnes, bagCount];
    const widths = [6, 8, 5, 5, 14, 16, 16];
    console.log(part.padEnd(22) + cells.map((cell, index) => String(cell).padStart(widths[index])).join(""));
  }
  if (listsFiles) {
    for (const file of small) console.log(`one importer, ≤ 45 lines: ${file}`);
    for (const bag of bags) console.log(`parameter bag: ${bag}`);
  }
  return figures;
}
