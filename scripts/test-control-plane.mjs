// `npm run test:control-plane`: the conformance rows on the real control plane and on the embedded one, and other tests on the real one.
// Fails when a recorded answer has changed, or when the embedded server answers otherwise. Arguments go to vitest, but for
// `--reports=<folder>`, which gets a report of each step in JSON, `--unstable=<file>`, which gets the titles of the steps that passed the second time only, in JSON,
// `--kubernetes 1.37`, which selects another version of Kubernetes for both servers, `--without-repeats`, which leaves out the steps that `npm test` and `npm run test:e2e` have as well once the control plane is built, and
// `--part=3/14`, which leaves out the rows, files, and examples of other parts (scripts/rotation.mjs).
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { buildControlPlane } from "./build-control-plane.mjs";
import { RECORDED_MINOR, selectedMinor, withoutSelection } from "./control-plane-pins.mjs";
import { ENVIRONMENT_TESTS, LEASE_TESTS, RUNTIME_TESTS } from "./control-plane-tests.mjs";
import { ROOT, binOf, ensureInstalled, run } from "./ensure-installed.mjs";
import { goVersion } from "./go-programs.mjs";
import { buildPinnedTool } from "./pinned-go-tool.mjs";
import { differentialVariables, validationVariables } from "./random-tests.mjs";
import { inPart, partIn, PARTS, selectedShard } from "./rotation.mjs";
import { failuresIn, readResults } from "./test-report.mjs";

const RECORDINGS = {
  conformance: "packages/envtest/test/conformance/recorded",
  hostile: "packages/envtest/test/hostile/recorded",
};
// Steps mostly wait for servers, and most have one file of tests: two go at once, each in one worker.
const LANES = 2;
// Of the random operations and objects.
const SHARD = selectedShard();
const PART = partIn(process.argv);

if (goVersion() === undefined) {
  console.log("****************************************************************************");
  console.log("* SKIPPED: the tests against a real control plane did NOT run.             *");
  console.log("* They need Go 1.26 or later on the PATH to build it; the embedded server *");
  console.log("* is compared with recorded answers by `npm test` all the same.            *");
  console.log("****************************************************************************");
  process.exit(0);
}

ensureInstalled();
const MINOR = selectedMinor(process.argv.slice(2));
const assets = buildControlPlane({ minor: MINOR });
const partText = PART === undefined ? "all parts" : `part ${String(PART)} of ${String(PARTS)}`;
console.log(`control plane: ${assets}; shard ${String(SHARD)} of the random tests, ${partText} of the others`);
const helm = buildPinnedTool("helm");
console.log(`helm: ${helm}`);
// Projects that record another version of Kubernetes run on this one, too.
const BINARIES = { KUBESCAFFOLD_ENVTEST_BACKEND: "binaries", KUBESCAFFOLD_KUBERNETES_VERSION: MINOR };
// By time, the longest first.
const EXAMPLES = [
  "multiversion",
  "namespaceplus",
  "cronjob",
  "guestbook",
  "memcached",
  "dnsrecord",
  "website",
  "addingress",
];
const STEPS = [
  {
    title: "the rows on the real control plane",
    tests: ["packages/envtest/test/conformance"],
    variables: {
      CONFORMANCE_BACKEND: "real",
      ...(PART === undefined ? {} : { CONFORMANCE_PART: `${String(PART)}/${String(PARTS)}` }),
    },
    answers: "conformance",
  },
  {
    title: "the rows on the embedded server",
    tests: ["packages/envtest/test/conformance"],
    variables: { CONFORMANCE_BACKEND: "embedded" },
    isRepeat: true,
  },
  {
    title: "the hostile requests on the real control plane",
    tests: ["packages/envtest/test/hostile"],
    variables: { CONFORMANCE_BACKEND: "real" },
    answers: "hostile",
  },
  {
    title: "documents of OpenAPI on both servers",
    tests: ["packages/envtest/test/openapi"],
    variables: { CONFORMANCE_BACKEND: "real" },
  },
  {
    title: "random operations on both servers",
    tests: ["packages/envtest/test/differential"],
    variables: differentialVariables(SHARD),
  },
  {
    title: "random objects of built-in kinds on both servers",
    tests: ["packages/envtest/test/validation"],
    variables: validationVariables(SHARD),
  },
  {
    title: "environments of local binaries, with faults",
    tests: inPart(ENVIRONMENT_TESTS, PART),
    // Each run of a property starts a control plane.
    variables: { ...BINARIES, KUBESCAFFOLD_PROPERTY_RUNS: "6" },
  },
  { title: "the runtime on the real control plane", tests: inPart(RUNTIME_TESTS, PART), variables: BINARIES },
  {
    title: "processes that contend for a lease of the real control plane",
    tests: LEASE_TESTS,
    variables: BINARIES,
  },
  {
    title: "manifests built by kubectl",
    tests: ["plugins/kustomize/test", "test/kustomize", "test/e2e/upstream-objects", "test/scenarios/built-manifests"],
    variables: {},
    isRepeat: true,
  },
  {
    title: "charts rendered by helm",
    tests: ["plugins/helm/test"],
    variables: { KUBESCAFFOLD_HELM: helm },
    isRepeat: true,
  },
  {
    title: "charts installed on the real control plane",
    tests: ["test/scenarios/helm", "test/scenarios/self-managed-deployment"],
    variables: { ...BINARIES, KUBESCAFFOLD_HELM: helm },
  },
  {
    title: "stored versions of the real control plane, migrated and dropped by commands",
    tests: ["test/cli/commands/migrate-storage", "test/cli/commands/delete/version-steps"],
    variables: BINARIES,
  },
  {
    title: "the generator's CRDs on the real control plane",
    tests: ["test/e2e/golden-crds", "test/e2e/checked-crds"],
    variables: BINARIES,
  },
  {
    title: "kubectl against scaffold dev",
    tests: ["test/e2e/kubectl", "test/e2e/multiversion"],
    variables: {},
    isRepeat: true,
  },
  {
    title: "scaffold dev against the real control plane",
    tests: ["test/e2e/dev-kubeconfig"],
    variables: BINARIES,
  },
  {
    title: "scaffold dashboard against the real control plane, whose Pods do not run",
    tests: ["test/e2e/cluster-dashboard"],
    variables: BINARIES,
  },
  {
    title: "Go's envtest with the stand-ins, and with the real control plane",
    tests: ["test/e2e/go-envtest"],
    variables: {},
    isRepeat: true,
  },
  ...inPart(EXAMPLES, PART).map((name) => ({
    title: `the example ${name} on the real control plane`,
    tests: [],
    variables: BINARIES,
    cwd: path.join(ROOT, "examples", name),
  })),
];
run(process.execPath, [path.join(ROOT, "scripts", "build.mjs")]);
const reports = valueOf("--reports");
const unstableFile = valueOf("--unstable");
const forVitest = withoutSelection(process.argv.slice(2)).filter(
  (word) => !/^--(?:(?:reports|unstable|part)=|without-repeats$)/u.test(word),
);
// The recordings stay until the end: other steps compare with them, and so does the second run of a step.
const answers = mkdtempSync(path.join(tmpdir(), "kubescaffold-answers-"));
const failed = [];
const unstable = [];
const withoutRepeats = process.argv.includes("--without-repeats");
const waiting = [...STEPS.entries()].filter(([, { isRepeat = false, tests, cwd = ROOT }]) => {
  // Without a selection, vitest would run the tests of the whole repository.
  const isEmpty = tests.length === 0 && cwd === ROOT;
  return !isEmpty && !(withoutRepeats && isRepeat);
});
await Promise.all(Array.from({ length: LANES }, runLane));
recordAnswers();
rmSync(answers, { recursive: true, force: true });
if (unstableFile !== undefined) writeFileSync(unstableFile, JSON.stringify(unstable));
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
      const tests = failedTestsOf(index);
      ({ status, output } = await runStep(index, step));
      if (status === 0) unstable.push([step.title, ...tests].join("\n  "));
    }
    const seconds = ((Date.now() - start) / 1000).toFixed(0);
    console.log(`\n== ${step.title}\n${output}== ${step.title}: ${status === 0 ? "passed" : "FAILED"} in ${seconds} s`);
    if (status !== 0) failed.push(step.title);
  }
}

function failedTestsOf(index) {
  const report = reportOf(index);
  return existsSync(report) ? failuresIn(readResults(report)).map(({ title }) => title) : [];
}

function reportOf(index) {
  return path.join(reports ?? "", `control-plane-${String(index)}.json`);
}

// Shows what a step prints when it has ended, since another prints meanwhile.
function runStep(index, { tests, variables, answers: name, cwd = ROOT }) {
  const output = name === undefined ? {} : { CONFORMANCE_OUTPUT: path.join(answers, name) };
  const env = {
    ...process.env,
    KUBEBUILDER_ASSETS: assets,
    KUBESCAFFOLD_COMPARED_MINOR: MINOR,
    ...variables,
    ...output,
  };
  const reporters =
    reports === undefined ? [] : ["--reporter=default", "--reporter=json", `--outputFile.json=${reportOf(index)}`];
  const args = [binOf("vitest"), "run", "--maxWorkers=1", ...reporters, ...tests, ...forVitest];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        printed += text;
      });
    child.on("close", (status) => resolve({ status: status ?? 1, output: printed }));
  });
}

function valueOf(flag) {
  return process.argv.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}

// A changed answer has failed its step; its recording is the difference to review.
function recordAnswers() {
  for (const [name, folder] of Object.entries(RECORDINGS)) {
    const from = path.join(answers, name);
    if (!existsSync(from)) continue;
    if (MINOR === RECORDED_MINOR) cpSync(from, path.join(ROOT, folder), { recursive: true });
    else recordDifferences(path.join(from, MINOR), path.join(ROOT, folder));
  }
  const folders = Object.values(RECORDINGS);
  const { stdout } = spawnSync("git", ["diff", "--unified=8", "--", ...folders], { cwd: ROOT, encoding: "utf8" });
  if (stdout.trim() === "") return;
  console.error(`\nrecorded answers in ${folders.join(" and ")} have changed: commit them, or find out why\n${stdout}`);
}

// Other minor versions have files of their own only where they answer otherwise.
function recordDifferences(from, folder) {
  for (const name of existsSync(from) ? readdirSync(from) : []) {
    const text = readFileSync(path.join(from, name), "utf8");
    const common = path.join(folder, name);
    const own = path.join(folder, MINOR, name);
    if (existsSync(common) && readFileSync(common, "utf8") === text) rmSync(own, { force: true });
    else cpSync(path.join(from, name), own);
  }
}
