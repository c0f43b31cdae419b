import { spawnSync } from "node:child_process";
import path from "node:path";

// `npm run fuzz:validation -- --count 20000 --seed 1 --kinds Pod,Deployment.apps`: random objects of built-in kinds, valid and invalid, as dry runs on the
// embedded server and on the real one, which it builds with Go on first use.
//
// Compares status, reason, causes, and the object with its defaults. Ends with status 1 and prints one request for each different cause, at most 20
// (`--most`); `--output file` writes them as JSON. `--services 1000` compares the addresses of Services after as many random writes to dual-stack servers.
// `--until 20000` continues with the seeds that scripts/random-ranges.json does not have yet, and records them.
import { buildControlPlane } from "./build-control-plane.mjs";
import { selectedMinor } from "./control-plane-pins.mjs";
import { binOf, ensureInstalled, ROOT } from "./ensure-installed.mjs";
import { runUntil } from "./random-ranges.mjs";

ensureInstalled();
const minor = selectedMinor(process.argv.slice(2));
const assets = buildControlPlane({ minor });
const test = path.join("packages", "envtest", "test", "validation");
const output = valueOf("--output");
const services = valueOf("--services");
const until = valueOf("--until");
const status =
  until === undefined
    ? run({ seed: valueOf("--seed") ?? "1", count: valueOf("--count") ?? (services === undefined ? "4000" : "0") })
    : runUntil(Number(until), { test: "validation", minor }, run);
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
      VALIDATION_REQUESTS: count,
      VALIDATION_SERVICES: services ?? "0",
      VALIDATION_SEED: seed,
      VALIDATION_KINDS: valueOf("--kinds") ?? "",
      VALIDATION_VERBS: valueOf("--verbs") ?? "",
      VALIDATION_MOST: valueOf("--most") ?? "20",
      ...(output === undefined ? {} : { VALIDATION_OUTPUT: path.resolve(output) }),
    },
  });
  return ended ?? 1;
}

function valueOf(flag) {
  const index = process.argv.indexOf(flag);
  return index === -1 ? undefined : process.argv[index + 1];
}
