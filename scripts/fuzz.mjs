// `npm run fuzz`: inputs made at random, with coverage as their guide, to every reader of untrusted input.
//
// node scripts/fuzz.mjs [--minutes N] [--target name] [--seed N]
//
// All targets share the time. Ends with status 1 when an input breaks a promise; test/fuzz/fixtures then has it.
import path from "node:path";

import { ROOT, ensureInstalled, runStatus } from "./ensure-installed.mjs";

ensureInstalled();
process.exit(
  runStatus(process.execPath, [
    "--import",
    "tsx",
    "--conditions=@kubescaffold/source",
    path.join(ROOT, "test", "fuzz", "run-fuzz.ts"),
    ...process.argv.slice(2),
  ]),
);
