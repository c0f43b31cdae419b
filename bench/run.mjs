// All measurements, one after another: `node bench/run.mjs`. Ends with status 1 when a target is missed.
import { cpus } from "node:os";

import { measureCompiler } from "./compiler.mjs";
import { measureControllerTurns } from "./controller-turns.mjs";
import { measureCreateApi } from "./create-api.mjs";
import { measureDashboard } from "./dashboard.mjs";
import { measureEmbeddedStart } from "./embedded-start.mjs";
import { measureGen } from "./gen.mjs";
import { measureHelp } from "./help.mjs";
import { measureHundredApis } from "./hundred-apis.mjs";
import { measureImage } from "./image.mjs";
import { measureInit } from "./init.mjs";
import { measureInstall } from "./install.mjs";
import { printLoad } from "./machine-load.mjs";
import { printTable } from "./measuring.mjs";
import { measureWatch } from "./watch.mjs";

const MEASUREMENTS = [
  measureHelp,
  measureInit,
  measureCreateApi,
  measureHundredApis,
  measureInstall,
  measureImage,
  measureGen,
  measureCompiler,
  measureWatch,
  measureEmbeddedStart,
  measureControllerTurns,
  measureDashboard,
];

const [processor] = cpus();
console.log(`Node ${process.version}, ${String(cpus().length)} × ${processor?.model.trim() ?? "unknown"}`);
const printLoadAtEnd = printLoad();
const rows = [];
for (const measure of MEASUREMENTS) rows.push(...(await measure()));
printTable(rows);
printLoadAtEnd();
process.exitCode = rows.every(({ isKept }) => isKept) ? 0 : 1;
