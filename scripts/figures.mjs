// `npm run figures`: how much there is to open and to read. Prints sizes of files per part, small files, parameter bags, and the files that flows pass through.
//
// node scripts/figures.mjs [--files] [--flow=<title>]
//
// --files also lists the files of each flow and the small files; --flow prints the figures of one flow alone.
import path from "node:path";
import process from "node:process";

import { ROOT, ensureInstalled, runStatus } from "./ensure-installed.mjs";

const SOURCES = "--conditions=@kubescaffold/source";
const FLOW = "--flow=";

if (process.execArgv.includes(SOURCES)) {
  const listsFiles = process.argv.includes("--files");
  const flow = process.argv.find((argument) => argument.startsWith(FLOW))?.slice(FLOW.length);
  if (flow === undefined) await printSources(listsFiles);
  await printFlows(listsFiles, flow);
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

async function printSources(listsFiles) {
  const { measureSources } = await import("./figures/sources.mjs");
  const { parts, small, bags } = measureSources();
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
}

async function printFlows(listsFiles, only) {
  const flows = [
    { title: "PATCH", run: async () => (await import("./figures/patch-flow.mjs")).patchFlow() },
    {
      title: "watch event → reconcile",
      run: async () => (await import("./figures/reconcile-flow.mjs")).reconcileFlow(),
    },
    { title: "create api", run: async () => (await import("./figures/create-api-flow.mjs")).createApiFlow() },
  ];
  for (const { title, run } of flows.filter((flow) => only === undefined || flow.title === only)) {
    const groups = await run();
    const counts = groups.map(({ part, files }) => `${String(files.length)} files of ${part}`);
    console.log(`\n${title}: ${counts.join(", ")}`);
    if (listsFiles) for (const file of groups.flatMap(({ files }) => files)) console.log(`  ${file}`);
  }
}
