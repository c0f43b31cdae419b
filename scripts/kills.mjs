// `npm run kills`: kills the leader of two processes again and again, against a real control plane, or the embedded server where there is no Go.
//
// node scripts/kills.mjs [--count 50] [--embedded]
//
// Prints how long the other process takes until it leads and has written.
import { parseArgs } from "node:util";

import { buildControlPlane } from "./build-control-plane.mjs";
import { RECORDED_MINOR } from "./control-plane-pins.mjs";
import { binOf, ensureInstalled, runStatus } from "./ensure-installed.mjs";
import { goVersion } from "./go-programs.mjs";

const { values } = parseArgs({
  options: { count: { type: "string", default: "50" }, embedded: { type: "boolean", default: false } },
});

ensureInstalled();
const isReal = !values.embedded && goVersion() !== undefined;
const backend = isReal
  ? {
      KUBESCAFFOLD_ENVTEST_BACKEND: "binaries",
      KUBEBUILDER_ASSETS: buildControlPlane(),
      KUBESCAFFOLD_KUBERNETES_VERSION: RECORDED_MINOR,
    }
  : { KUBESCAFFOLD_ENVTEST_BACKEND: "embedded" };
console.log(`server: ${isReal ? "a real control plane" : "embedded"}`);
process.exit(
  runStatus(process.execPath, [binOf("vitest"), "run", "packages/runtime/test/leader-election/kills.test.ts"], {
    env: { ...process.env, ...backend, KUBESCAFFOLD_KILLS: values.count },
  }),
);
