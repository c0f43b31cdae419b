// `npm run test:control-plane`: the conformance rows on the real control plane, live and recorded again, then on the embedded one.
// Fails when a recorded answer has changed, or when the embedded server answers otherwise. Arguments go to vitest.
import { spawnSync } from "node:child_process";
import path from "node:path";

import { buildControlPlane, goVersion } from "./build-control-plane.mjs";
import { ROOT, binOf, ensureInstalled, runStatus } from "./ensure-installed.mjs";

const RECORDINGS = "packages/envtest/test/conformance/recorded";

if (goVersion() === undefined) {
  console.log("****************************************************************************");
  console.log("* SKIPPED: the tests against a real control plane did NOT run.             *");
  console.log("* They need Go 1.26 or later on the PATH to build it; the embedded server *");
  console.log("* is compared with recorded answers by `npm test` all the same.            *");
  console.log("****************************************************************************");
  process.exit(0);
}

ensureInstalled();
const assets = buildControlPlane();
console.log(`control plane: ${assets}`);
const STEPS = [
  { title: "the real control plane", test: "conformance", variables: { CONFORMANCE_BACKEND: "real" } },
  { title: "the embedded server", test: "conformance", variables: { CONFORMANCE_BACKEND: "embedded" } },
  {
    title: "environments of local binaries",
    test: "environment.test",
    variables: { KUBESCAFFOLD_ENVTEST_BACKEND: "binaries" },
  },
];
const failed = STEPS.filter(({ title, test, variables }) => {
  console.log(`\n== ${title}`);
  const env = { ...process.env, KUBEBUILDER_ASSETS: assets, ...variables };
  const args = [binOf("vitest"), "run", "--project", "envtest", test, ...process.argv.slice(2)];
  return runStatus(process.execPath, args, { env }) !== 0;
});
reportChangedRecordings();
for (const { title } of failed) console.error(`test:control-plane: FAILED on ${title}`);
process.exit(failed.length === 0 ? 0 : 1);

function reportChangedRecordings() {
  const { stdout } = spawnSync("git", ["status", "--short", "--", RECORDINGS], { cwd: ROOT, encoding: "utf8" });
  if (stdout.trim())
    console.error(
      `\nrecorded answers have changed (look at them, then commit or find out why):\n${stdout}see ${path.join(RECORDINGS)}`,
    );
}
