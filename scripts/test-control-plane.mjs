// `npm run test:control-plane`: the conformance rows on the real control plane, live and recorded again, then on the embedded one.
// Fails when a recorded answer has changed, or when the embedded server answers otherwise. Arguments go to vitest,
// but for `--reports=<folder>`, which gets a report of each step in JSON.
import { spawn, spawnSync } from "node:child_process";
import path from "node:path";

import { buildControlPlane } from "./build-control-plane.mjs";
import { ROOT, binOf, ensureInstalled, run } from "./ensure-installed.mjs";
import { goVersion } from "./go-programs.mjs";
import { buildPinnedTool } from "./pinned-go-tool.mjs";

const RECORDINGS = ["packages/envtest/test/conformance/recorded", "packages/envtest/test/hostile/recorded"];
// Steps mostly wait for servers, and most have one file of tests: two go at once, each in one worker.
const LANES = 2;

// The tests of the runtime that use an environment, whichever its server is.
const RUNTIME_TESTS = [
  "test/cache/cache-on-server",
  "test/cache/streamed-list-on-server",
  "test/certificates/certificate-request",
  "test/client/read-your-writes",
  "test/client/server",
  "test/client/upgrade-managed-fields",
  "test/client/wrappers-on-server",
  "test/client/apply",
  "test/discovery/mapper-on-server",
  "test/dependents/applied-on-server",
  "test/dependents/dependents-on-server",
  "test/informers/informers-on-server",
  "test/leader-election/clock-skew",
  "test/leader-election/under-load",
  "test/manager/faults-on-server",
  "test/manager/operator",
  "test/manager/outage",
  "test/manager/two-clusters",
  "test/rest/token-rotation",
  "test/webhook/webhooks-on-server",
  "test/webhook/conversion-on-server",
];

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
const helm = buildPinnedTool("helm");
console.log(`helm: ${helm}`);
const BINARIES = { KUBESCAFFOLD_ENVTEST_BACKEND: "binaries" };
const exampleFolder = (name) => path.join(ROOT, "examples", name);
const STEPS = [
  {
    title: "the rows on the real control plane",
    projects: ["envtest"],
    tests: ["conformance"],
    variables: { CONFORMANCE_BACKEND: "real" },
  },
  {
    title: "the rows on the embedded server",
    projects: ["envtest"],
    tests: ["conformance"],
    variables: { CONFORMANCE_BACKEND: "embedded" },
  },
  {
    title: "the hostile requests on the real control plane",
    projects: ["envtest"],
    tests: ["hostile"],
    variables: { CONFORMANCE_BACKEND: "real" },
  },
  {
    title: "random operations on both servers",
    projects: ["envtest"],
    tests: ["packages/envtest/test/differential"],
    variables: { DIFFERENTIAL_OPERATIONS: "3000", DIFFERENTIAL_SEED: "100" },
  },
  {
    title: "random objects of built-in kinds on both servers",
    projects: ["envtest"],
    tests: ["packages/envtest/test/validation"],
    variables: { VALIDATION_REQUESTS: "1500", VALIDATION_SEED: "4" },
  },
  {
    title: "environments of local binaries, with faults",
    projects: ["envtest"],
    tests: ["environment.test", "chaos/"],
    variables: BINARIES,
  },
  { title: "the runtime on the real control plane", projects: ["runtime"], tests: RUNTIME_TESTS, variables: BINARIES },
  {
    title: "processes that contend for a lease of the real control plane",
    projects: ["e2e"],
    tests: ["leader-election/contenders"],
    variables: BINARIES,
  },
  {
    title: "manifests built by kubectl",
    projects: ["cli", "e2e"],
    tests: ["plugins/kustomize", "test/e2e/upstream-objects", "test/scenarios/built-manifests"],
    variables: {},
  },
  {
    title: "charts rendered by helm, and installed on the real control plane",
    projects: ["cli", "e2e"],
    tests: ["plugins/helm", "test/scenarios/helm"],
    variables: { ...BINARIES, KUBESCAFFOLD_HELM: helm },
  },
  {
    title: "the generator's CRDs on the real control plane",
    projects: ["e2e"],
    tests: ["test/e2e/golden-crds", "test/e2e/checked-crds"],
    variables: BINARIES,
  },
  {
    title: "kubectl against scaffold dev",
    projects: ["e2e"],
    tests: ["test/e2e/kubectl", "test/e2e/multiversion"],
    variables: {},
  },
  {
    title: "scaffold dev against the real control plane",
    projects: ["e2e"],
    tests: ["test/e2e/dev-kubeconfig"],
    variables: BINARIES,
  },
  {
    title: "scaffold dashboard against the real control plane, whose Pods do not run",
    projects: ["e2e"],
    tests: ["test/e2e/cluster-dashboard"],
    variables: BINARIES,
  },
  {
    title: "Go's envtest with the stand-ins, and with the real control plane",
    projects: ["e2e"],
    tests: ["test/e2e/go-envtest"],
    variables: {},
  },
  {
    title: "the Guestbook example on the real control plane",
    tests: [],
    variables: BINARIES,
    cwd: exampleFolder("guestbook"),
  },
  {
    title: "the Memcached example on the real control plane",
    tests: [],
    variables: BINARIES,
    cwd: exampleFolder("memcached"),
  },
  {
    title: "the multiversion example on the real control plane",
    tests: [],
    variables: BINARIES,
    cwd: exampleFolder("multiversion"),
  },
  {
    title: "the NamespacePlus example on the real control plane",
    tests: [],
    variables: BINARIES,
    cwd: exampleFolder("namespaceplus"),
  },
  {
    title: "the CronJob example on the real control plane",
    tests: [],
    variables: BINARIES,
    cwd: exampleFolder("cronjob"),
  },
  {
    title: "the AddIngress example on the real control plane",
    tests: [],
    variables: BINARIES,
    cwd: exampleFolder("addingress"),
  },
  {
    title: "the DNSRecord example on the real control plane",
    tests: [],
    variables: BINARIES,
    cwd: exampleFolder("dnsrecord"),
  },
  {
    title: "the Website example on the real control plane",
    tests: [],
    variables: BINARIES,
    cwd: exampleFolder("website"),
  },
];
run(process.execPath, [path.join(ROOT, "scripts", "build.mjs")]);
const reports = valueOf("--reports");
const forVitest = process.argv.slice(2).filter((word) => !word.startsWith("--reports="));
const failed = [];
const unstable = [];
const waiting = [...STEPS.entries()];
await Promise.all(Array.from({ length: LANES }, runLane));
reportChangedRecordings();
for (const title of unstable) console.error(`test:control-plane: passed the second time only: ${title}`);
for (const title of failed) console.error(`test:control-plane: FAILED on ${title}`);
process.exit(failed.length === 0 ? 0 : 1);

async function runLane() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [index, step] = next;
    const start = Date.now();
    let { status, output } = await runStep(index, step);
    if (status !== 0) {
      console.log(`\n== ${step.title}\n${output}== ${step.title}: FAILED, runs a second time`);
      ({ status, output } = await runStep(index, step));
      if (status === 0) unstable.push(step.title);
    }
    const seconds = ((Date.now() - start) / 1000).toFixed(0);
    console.log(`\n== ${step.title}\n${output}== ${step.title}: ${status === 0 ? "passed" : "FAILED"} in ${seconds} s`);
    if (status !== 0) failed.push(step.title);
  }
}

// Shows what a step prints when it has ended, since another prints meanwhile.
function runStep(index, { projects = [], tests, variables, cwd = ROOT }) {
  const env = { ...process.env, KUBEBUILDER_ASSETS: assets, ...variables };
  const selected = projects.flatMap((name) => ["--project", name]);
  const report = path.join(reports ?? "", `control-plane-${String(index)}.json`);
  const reporters =
    reports === undefined ? [] : ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const args = [binOf("vitest"), "run", "--maxWorkers=1", ...selected, ...reporters, ...tests, ...forVitest];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    child.on("close", (status) => resolve({ status: status ?? 1, output }));
  });
}

function valueOf(flag) {
  return process.argv.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}

function reportChangedRecordings() {
  const { stdout } = spawnSync("git", ["diff", "--unified=8", "--", ...RECORDINGS], { cwd: ROOT, encoding: "utf8" });
  if (stdout.trim() === "") return;
  console.error(
    `\nrecorded answers in ${RECORDINGS.join(" and ")} have changed: commit them, or find out why\n${stdout}`,
  );
}
