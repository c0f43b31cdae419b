// Compiles every package and the CLI, then bundles the packages and the published program.
import path from "node:path";

import { buildDashboard } from "./build-dashboard.mjs";
import { ROOT, binOf, ensureInstalled, run } from "./ensure-installed.mjs";
import { pruneOutputs } from "./prune-outputs.mjs";

ensureInstalled();
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
