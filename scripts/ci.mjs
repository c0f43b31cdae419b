// Runs every gate in turn and prints `N passed, N failed` alone on the last line; each test counts, and each step that runs none counts as one.
// What failed is told once more before that line, since the output is long and its beginning may be cut off.
// A test that no step runs fails, too, unless scripts/allowed-skips.mjs gives the reason.
// A few failed files run a second time, alone: what passes then depends on the machine's load, counts as passed, and is told at the end.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import path from "node:path";

import { ALLOWED_SKIPS } from "./allowed-skips.mjs";
import { buildControlPlane } from "./build-control-plane.mjs";
import { ensureChromium } from "./chromium.mjs";
import { installClients } from "./clients.mjs";
import { RECORDED_MINOR } from "./control-plane-pins.mjs";
import { ENVIRONMENT_TESTS, RUNTIME_TESTS } from "./control-plane-tests.mjs";
import { ensureInstalled, ROOT } from "./ensure-installed.mjs";
import { goVersion } from "./go-programs.mjs";
import { buildPinnedTool } from "./pinned-go-tool.mjs";
import { RANDOM_TESTS } from "./random-tests.mjs";
import { leftOut, partOfShard, PARTS, selectedShard, SHARDS } from "./rotation.mjs";
import { testsOfReport, unexplainedSkips } from "./skipped-tests.mjs";
import { failuresIn, passedIn, readResults, withSecondRun } from "./test-report.mjs";

const LAST_LINES = 40;
// More than these fail for a reason.
const FILES_TO_REPEAT = 3;
const SHARD = selectedShard();
const PART = partOfShard(SHARD);
const PART_ARG = `--part=${String(PART)}/${String(PARTS)}`;

const reports = mkdtempSync(path.join(tmpdir(), "kubescaffold-ci-"));
const total = { passed: 0, failed: 0 };
const failures = [];
const unstable = [];

ensureInstalled();
await Promise.all([
  step("check", ["scripts/check.mjs"]),
  step("spelling", ["scripts/check-spelling.mjs", "--all"], { isShownAtEnd: true }),
]);
await step("lint:workflows", ["scripts/lint-workflows.mjs"]);
const tools = [...(await buildTools()), ...installBrowser(), ...installOtherClients()];
await testStep("test", ["scripts/run-tests.mjs"]);
await testStep("test:e2e", ["scripts/run-tests.mjs", "--e2e", PART_ARG]);
await Promise.all([simulation(), otherSteps()]);
requireNoSkips();

rmSync(reports, { recursive: true, force: true });
console.log(
  `\nrandom tests ran shard ${String(SHARD)} of ${String(SHARDS)}, and rotating tests part ${String(PART)} of ${String(PARTS)}; KUBESCAFFOLD_SHARD=${String(SHARD)} replays it`,
);
for (const title of unstable) console.log(`\n---- passed the second time only: ${title}`);
for (const { title, text } of failures) console.log(`\n---- failed: ${title}\n${text}`);
console.log(`\n${String(total.passed)} passed, ${String(total.failed)} failed`);
process.exit(total.failed === 0 ? 0 : 1);

// Takes the time of the processors that the other steps leave, which wait for servers much of theirs. Its clock is simulated.
async function simulation() {
  const background = { isShownAtEnd: true, isBackground: true };
  await randomStep("simulate", background);
}

async function otherSteps() {
  await Promise.all([stepsThatReadSources(), stepsThatBuild()]);
  await step("test:conformance, quick", ["scripts/conformance.mjs", "--quick", "--kubernetes", RECORDED_MINOR]);
  await controlPlaneStep();
  // Building the kubelet and another minor of the control plane takes longer than the hour of the gate has left.
  if (process.env["KUBESCAFFOLD_REAL_NODE"] === "1") await step("test:node", ["scripts/test-node.mjs", "--required"]);
}

async function stepsThatReadSources() {
  await randomStep("fuzz", { isShownAtEnd: true });
  await randomStep("test:oracle", { isShownAtEnd: true });
}

async function randomStep(name, how) {
  const { argsOf } = RANDOM_TESTS.find((each) => each.name === name);
  await step(`${name}, shard ${String(SHARD)} of ${String(SHARDS)}`, argsOf(SHARD), how);
}

async function stepsThatBuild() {
  await step("release:dry", ["scripts/release/dry-run.mjs", "--build=false"]);
  await step("quickstart", ["scripts/quickstart.mjs"]);
  await step("docs", ["site/build.mjs"]);
}

// The tests find what is built in the user's cache folder. KUBEBUILDER_ASSETS stays unset: with it every environment of `npm test` would be a real server.
async function buildTools() {
  if (goVersion() === undefined) {
    console.log(`\n${"*".repeat(76)}`);
    console.log("* There is no Go on the PATH. NOT run: every test that needs kubectl, helm, krew,");
    console.log("* cosign, a real API server, or controller-gen. Install Go 1.26 or later.");
    console.log("*".repeat(76));
    return [];
  }
  console.log("\n==== tools");
  try {
    console.log(`control plane: ${buildControlPlane()}`);
    for (const name of ["helm", "cosign", "krew", "setup-envtest"]) console.log(`${name}: ${buildPinnedTool(name)}`);
    // Lets the oracle of packages/k8s fetch its modules.
    process.env["KUBESCAFFOLD_ORACLE"] = "1";
    total.passed += 1;
  } catch (error) {
    fail("tools", String(error));
  }
  return ["go"];
}

function installBrowser() {
  console.log("\n==== browser");
  const program = ensureChromium();
  if (program !== undefined) {
    console.log(`chromium: ${program}`);
    return ["chromium"];
  }
  console.log("*".repeat(76));
  console.log("* There is no Chromium. NOT run: the browser tests of the dashboard.");
  console.log("*".repeat(76));
  return [];
}

// A machine that reaches no registry skips their tests; `npm run nightly` fails there.
function installOtherClients() {
  console.log("\n==== clients of other languages");
  const { installed } = installClients({ isGate: true });
  console.log(`installed: ${installed.join(", ") || "none"}`);
  return installed.map((name) => `client of ${name}`);
}

// Files that the part of the day leaves out are not asked for.
function requireNoSkips() {
  const files = readdirSync(reports).map((name) => path.join(reports, name));
  const others = [RUNTIME_TESTS, ENVIRONMENT_TESTS].flatMap((tests) => leftOut(tests, PART));
  const tests = files
    .flatMap(testsOfReport)
    .filter(({ file }) => !others.some((selection) => file.startsWith(selection)));
  const skipped = unexplainedSkips(tests, { allowed: ALLOWED_SKIPS, tools });
  if (skipped.length === 0) total.passed += 1;
  else fail("no test is skipped without a reason in scripts/allowed-skips.mjs", skipped.join("\n"));
}

async function step(title, args, how = {}) {
  const { status, lastLines } = await timed(title, args, how);
  if (status === 0) total.passed += 1;
  else fail(title, lastLines);
}

async function controlPlaneStep() {
  const list = path.join(mkdtempSync(path.join(tmpdir(), "kubescaffold-ci-unstable-")), "steps.json");
  await step("test:control-plane", [
    "scripts/test-control-plane.mjs",
    "--without-repeats",
    PART_ARG,
    `--reports=${reports}`,
    `--unstable=${list}`,
  ]);
  const titles = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
  rmSync(path.dirname(list), { recursive: true, force: true });
  unstable.push(...titles.map((title) => `test:control-plane > ${title}`));
}

async function testStep(title, args) {
  const { status, lastLines, results } = await testRun(title, args);
  if (results === undefined) {
    fail(title, lastLines);
    return;
  }
  const isRepeated = filesToRepeat(results).length > 0;
  const final = isRepeated ? await repeated(title, results) : results;
  total.passed += passedIn(final);
  for (const each of failuresIn(final)) fail(each.title, each.text);
  // Without a failed test, vitest fails for an error outside of tests.
  if (status !== 0 && failuresIn(results).length === 0) fail(title, lastLines);
}

async function repeated(title, first) {
  const again = `${title}, failed files again`;
  const { status, lastLines, results } = await testRun(again, [
    "scripts/run-tests.mjs",
    ...filesToRepeat(first),
    "--maxWorkers=1",
  ]);
  const merged = withSecondRun(first, results ?? []);
  unstable.push(...merged.unstable);
  if (status !== 0 && failuresIn(results ?? []).length === 0) fail(again, lastLines);
  return merged.results;
}

function filesToRepeat(results) {
  const files = results.filter(({ failures: own }) => own.length > 0).map(({ file }) => file);
  return files.length > FILES_TO_REPEAT ? [] : files;
}

async function testRun(title, args) {
  const report = path.join(reports, `${title}.json`);
  const { status, lastLines } = await timed(title, [
    ...args,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  // A run that is killed writes no report.
  return { status, lastLines, results: existsSync(report) ? readResults(report) : undefined };
}

function fail(title, text) {
  total.failed += 1;
  failures.push({ title, text });
}

async function timed(title, args, { isShownAtEnd = false, isBackground = false } = {}) {
  const start = Date.now();
  if (!isShownAtEnd) console.log(`\n==== ${title}`);
  const { status, lastLines } = await runShown(args, { isShownAtEnd, isBackground });
  if (isShownAtEnd) console.log(`\n==== ${title}, beside the steps before\n${lastLines}`);
  console.log(`==== ${title}: ${status === 0 ? "passed" : "FAILED"} in ${((Date.now() - start) / 1000).toFixed(0)} s`);
  return { status, lastLines };
}

// Shows what a script prints as it comes unless another one runs beside it, and keeps the end of it.
function runShown(args, { isShownAtEnd, isBackground }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    // Its children have the same priority.
    if (isBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    let kept = "";
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      from.setEncoding("utf8").on("data", (text) => {
        if (!isShownAtEnd) to.write(text);
        kept = lastLinesOf(kept + text);
      });
    }
    child.on("close", (status) => resolve({ status: status ?? 1, lastLines: kept }));
  });
}

function lastLinesOf(text) {
  return text.split("\n").slice(-LAST_LINES).join("\n");
}
