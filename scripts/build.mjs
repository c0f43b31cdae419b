// Compiles every package and the CLI, then bundles the packages and the published program, unless the outputs are those of the sources; --force builds in any case.
import path from "node:path";
import process from "node:process";

import { buildDashboard } from "./build-dashboard.mjs";
import { isBuilt, startBuild } from "./build-stamp.mjs";
import { ROOT, binOf, ensureInstalled, run } from "./ensure-installed.mjs";
import { pruneOutputs } from "./prune-outputs.mjs";

ensureInstalled();
if (process.argv.includes("--force") || !isBuilt(ROOT)) build();

function build() {
  const endBuild = startBuild(ROOT);
  pruneOutputs();
  buildDashboard();
  run(process.execPath, [
    binOf("typescript", "tsc"),
    "-b",
    "packages/platform",
    "packages/k8s",
    "packages/schema",
    "packages/generators",
    "packages/runtime",
    "packages/apiserver",
    "packages/cluster",
    "packages/dashboard",
    "packages/envtest",
    "tsconfig.cli.json",
  ]);
  run(process.execPath, [path.join(ROOT, "scripts", "bundle-packages.mjs")]);
  run(process.execPath, [path.join(ROOT, "scripts", "build-bundle.mjs")]);
  endBuild();
}
