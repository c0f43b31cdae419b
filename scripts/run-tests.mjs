// `npm test` runs the tests of the packages, the program, and the plugins; `npm run test:e2e` those of whole programs and generated projects. The tests of the architecture are a part of `npm run check`.
// Both install and build what is missing; other arguments go to vitest, where `--project` or a path selects from all tests.
import { readdirSync } from "node:fs";
import path from "node:path";

import { binOf, ensureInstalled, ROOT, run } from "./ensure-installed.mjs";

const END_TO_END = "e2e";
// Many tests wait for timers and processes, so that two processors have time for a third worker.
const WORKERS = "3";

const args = process.argv.slice(2).filter((word) => word !== "--e2e");
const isEndToEnd = args.length < process.argv.length - 2;
const isSelection = args.some((word) => !word.startsWith("-") || word.startsWith("--project"));
const projects = isEndToEnd
  ? [`--project=${END_TO_END}`]
  : [
      ...["cli", ...readdirSync(path.join(ROOT, "packages"))].map((name) => `--project=${name}`),
      `--maxWorkers=${WORKERS}`,
    ];
ensureInstalled();
run(process.execPath, ["scripts/build.mjs"]);
run(process.execPath, [binOf("vitest"), "run", ...(isSelection ? [] : projects), ...args]);
