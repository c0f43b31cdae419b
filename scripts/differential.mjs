import { spawnSync } from "node:child_process";
import path from "node:path";

// `npm run differential -- --operations 100000 --seed 1`: random operations on the embedded server and on the real one, which it builds with Go on first use.
//
// Compares every answer, and the events of watches, in episodes of 400 operations with a seed each. Ends with status 1 and prints the first differing
// answer of up to ten episodes; `--output file` writes them as JSON. `--until 100000` continues with the seeds that scripts/random-ranges.json does not have
// yet, and records them.
import { buildControlPlane } from "./build-control-plane.mjs";
import { selectedMinor } from "./control-plane-pins.mjs";
import { binOf, ensureInstalled, ROOT } from "./ensure-installed.mjs";
import { runUntil } from "./random-ranges.mjs";

ensureInstalled();
const minor = selectedMinor(process.argv.slice(2));
const assets = buildControlPlane({ minor });
const test = path.join("packages", "envtest", "test", "differential");
const until = valueOf("--until");
const status =
  until === undefined
    ? run({ seed: valueOf("--seed") ?? "1", count: valueOf("--operations") ?? "4000" })
    : runUntil(Number(until), { test: "differential", minor }, run);
process.exit(status);

function run({ seed, count }) {
  const { status: ended } = spawnSync(process.execPath, [binOf("vitest"), "run", test], {
    cwd: ROOT,
    stdio: "inherit",
    env: {
      ...process.env,
      KUBEBUILDER_ASSETS: assets,
      KUBESCAFFOLD_KUBERNETES_VERSION: minor,
      KUBESCAFFOLD_COMPARED_MINOR: minor,
      DIFFERENTIAL_OPERATIONS: count,
      DIFFERENTIAL_SEED: seed,
      ...(valueOf("--output") === undefined ? {} : { DIFFERENTIAL_OUTPUT: path.resolve(valueOf("--output")) }),
    },
  });
  return ended ?? 1;
}

function valueOf(flag) {
  const index = process.argv.indexOf(flag);
  return index === -1 ? undefined : process.argv[index + 1];
}
