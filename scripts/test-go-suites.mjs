// `npm run test:go-suites`: runs the tests of controller-runtime, which use envtest, with the stand-ins of the embedded API server and with a
// real control plane, and prints specs, time, and memory of both.
//
//   node scripts/test-go-suites.mjs [--kubernetes 1.36] [--package pkg/client]... [--stand-ins-only]
//
// Both are of the newest version by default.
// Ends with status 1 if a spec fails with the stand-ins that the real control plane passes.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { buildControlPlane } from "./build-control-plane.mjs";
import { DEFAULT_MINOR } from "./control-plane-pins.mjs";
import { run } from "./controller-gen.mjs";
import { ROOT, ensureInstalled, run as runInherited } from "./ensure-installed.mjs";
import { goVersion } from "./go-programs.mjs";

// Those that start a control plane.
const PACKAGES = [
  "pkg/builder",
  "pkg/cache",
  "pkg/client",
  "pkg/client/apiutil",
  "pkg/cluster",
  "pkg/controller",
  "pkg/controller/controllerutil",
  "pkg/envtest",
  "pkg/handler",
  "pkg/internal/controller",
  "pkg/internal/recorder",
  "pkg/manager",
  "pkg/manager/internal/integration",
  "pkg/metrics/filters",
  "pkg/reconcile",
  "pkg/source",
  "pkg/webhook",
];

const SAMPLE_MS = 100;

const { values } = parseArgs({
  options: {
    kubernetes: { type: "string", default: DEFAULT_MINOR },
    package: { type: "string", multiple: true, default: PACKAGES },
    "stand-ins-only": { type: "boolean", default: false },
  },
});

if (goVersion() === undefined) {
  console.log("****************************************************************************");
  console.log("* SKIPPED: the tests of controller-runtime did NOT run with the stand-ins. *");
  console.log("* They need Go 1.26 or later on the PATH.                                  *");
  console.log("****************************************************************************");
  process.exit(0);
}

ensureInstalled();
runInherited(process.execPath, [path.join(ROOT, "scripts", "build.mjs")]);
const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-go-suites-"));
let failed = false;
try {
  const minor = values.kubernetes;
  const module = copyModule();
  const assets = {
    standIns: setUpStandIns(minor),
    real: values["stand-ins-only"] ? undefined : buildControlPlane({ minor }),
  };
  console.log(
    "| Package | Specs | Stand-ins | Real | Time, real ÷ stand-ins | Memory, real ÷ stand-ins |\n|---|---|---|---|---|---|",
  );
  for (const name of values.package) failed = !(await compare(module, name, assets)) || failed;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

// The version is that of hack/envtest; the module cache is read-only, and tests write next to their sources.
function copyModule() {
  const hack = path.join(ROOT, "hack", "envtest");
  run("go", ["mod", "download", "sigs.k8s.io/controller-runtime"], { cwd: hack });
  const source = run("go", ["list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/controller-runtime"], { cwd: hack }).trim();
  const target = path.join(folder, "controller-runtime");
  cpSync(source, target, { recursive: true });
  run("chmod", ["-R", "u+w", target], { cwd: folder });
  return target;
}

function setUpStandIns(minor) {
  const program = path.join(ROOT, "packages", "envtest", "dist", "stand-ins", "envtest.js");
  const options = ["--kubernetes", minor, "-p", "path", "--directory", path.join(folder, "assets")];
  return run(process.execPath, [program, "setup", ...options], { cwd: folder });
}

async function compare(module, name, { standIns, real }) {
  const binary = path.join(folder, `${name.replaceAll("/", "_")}.test`);
  run("go", ["test", "-c", "-o", binary, `./${name}`], { cwd: module });
  if (!existsSync(binary)) return true;
  const cwd = path.join(module, name);
  const ours = await runSuite(binary, cwd, standIns);
  const theirs = real === undefined ? undefined : await runSuite(binary, cwd, real);
  rmSync(binary);
  const ratio = (key) => (theirs === undefined ? "" : (theirs[key] / ours[key]).toFixed(1));
  const cells = [name, ours.specs, ours.passed, theirs?.passed ?? "", ratio("seconds"), ratio("memory")];
  console.log(`| ${cells.map(String).join(" | ")} |`);
  const missing = ours.failures.filter((title) => !(theirs?.failures ?? []).includes(title));
  for (const title of missing) console.error(`FAILED with the stand-ins: ${name}: ${title}`);
  if (!ours.isComplete) console.error(`FAILED with the stand-ins: ${name}\n${ours.output}`);
  return missing.length === 0 && ours.isComplete;
}

// Memory is the largest sum of the control plane's processes, which only Linux tells.
function runSuite(binary, cwd, assets) {
  return new Promise((resolve) => {
    const start = Date.now();
    const env = { ...process.env, KUBEBUILDER_ASSETS: assets };
    const child = spawn(binary, ["--ginkgo.no-color"], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    let memory = 0;
    const seen = new Set();
    const sampler = setInterval(() => {
      memory = Math.max(memory, memoryOfChildren(child.pid, seen));
    }, SAMPLE_MS);
    child.on("close", (status) => {
      clearInterval(sampler);
      for (const pid of seen) endLeftOver(pid);
      const [, ran = "none", total = ran] = /^Ran (\d+) of (\d+) Specs/mu.exec(output) ?? [];
      const [, passed = "0"] = /(?<!\d)(\d+) Passed/u.exec(output) ?? [];
      const failures = output
        .split("\n")
        .filter((line) => /^ {2}\[(?:FAIL|PANICKED!)\] \S|^ *--- FAIL: /u.test(line))
        .map((line) => line.trim().replace(/ \(\d+\.\d+s\)$/u, ""));
      const specs = ran === total ? ran : `${ran} of ${total}`;
      resolve({
        specs,
        passed,
        failures,
        output,
        isComplete: status === 0 || failures.length > 0,
        memory,
        seconds: (Date.now() - start) / 1000,
      });
    });
  });
}

// Some suites do not stop their control plane.
function endLeftOver(pid) {
  try {
    if (readFileSync(`/proc/${String(pid)}/cmdline`, "utf8").includes("k8s_test_framework_"))
      process.kill(pid, "SIGTERM");
  } catch {
    // It has ended.
  }
}

function memoryOfChildren(parent, seen) {
  if (process.platform !== "linux") return Number.NaN;
  let sum = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/u.test(name)) continue;
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      if (!status.includes(`\nPPid:\t${String(parent)}\n`)) continue;
      seen.add(Number(name));
      sum += Number(/^VmRSS:\s+(\d+) kB/mu.exec(status)?.[1] ?? 0);
    } catch {
      // It has ended in the meantime.
    }
  }
  return sum;
}
