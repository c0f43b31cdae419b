// Builds Kubernetes' end-to-end suite, lists its specs, and runs one of them against an API server.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { ROOT } from "../ensure-installed.mjs";
import { CACHE, EXECUTABLE_SUFFIX, goEnvironment } from "../go-programs.mjs";

const MODULE = path.join(ROOT, "hack", "conformance");
const SOURCES = ["go.mod", "go.sum", "suite_test.go"];
// A spec that does not end after its own time is killed.
const GRACE_MS = 10_000;

/** Returns the path of the suite, having built it where it is missing. Throws when the build fails. */
export function buildSuite() {
  const program = path.join(CACHE, "conformance", pins(), `conformance${EXECUTABLE_SUFFIX}`);
  if (existsSync(program)) return program;
  mkdirSync(path.dirname(program), { recursive: true });
  console.error("building the conformance suite, which takes some minutes …");
  const staging = `${program}.${String(process.pid)}`;
  const args = [
    "test",
    "-c",
    "-vet=off",
    "-mod=readonly",
    "-trimpath",
    "-p",
    "2",
    "-ldflags",
    "-s -w",
    "-o",
    staging,
    ".",
  ];
  const result = spawnSync("go", args, { cwd: MODULE, env: goEnvironment(), stdio: ["ignore", "inherit", "inherit"] });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`go test -c ended with status ${String(result.status)}`);
  renameSync(staging, program);
  return program;
}

function pins() {
  const hash = createHash("sha256");
  for (const file of SOURCES) hash.update(readFileSync(path.join(MODULE, file)));
  return hash.digest("hex").slice(0, 16);
}

/** Returns the titles of the suite's conformance specs, sorted. */
export async function conformanceSpecs(suite) {
  const reports = await runSuite(suite, ["--ginkgo.dry-run", String.raw`--ginkgo.focus=\[Conformance\]`], 60_000);
  return reports.specs
    .filter(({ state }) => state === "passed")
    .map(({ title }) => title)
    .toSorted();
}

/** Runs one spec; the result is its state, message, and duration in seconds. */
export async function runSpec({ suite, title, kubeconfig, kubectl, seconds }) {
  const args = [
    `--kubeconfig=${kubeconfig}`,
    `--kubectl-path=${kubectl}`,
    "--provider=skeleton",
    "--num-nodes=2",
    "--allowed-not-ready-nodes=0",
    "--delete-namespace=false",
    `--ginkgo.focus=${escapeRegExp(title)}$`,
    `--ginkgo.timeout=${String(seconds)}s`,
    "--ginkgo.grace-period=2s",
  ];
  const { specs, output } = await runSuite(suite, args, seconds * 1000 + GRACE_MS);
  const spec = specs.find((each) => each.title === title);
  return { title, state: "no report", message: lastLines(output), seconds, ...spec, output };
}

function runSuite(suite, args, limitMs) {
  const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-conformance-"));
  const report = path.join(folder, "report.json");
  return new Promise((resolve, reject) => {
    const child = spawn(suite, [...args, "--ginkgo.no-color", `--ginkgo.json-report=${report}`], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const killer = setTimeout(() => child.kill("SIGKILL"), limitMs);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    child.on("error", reject);
    child.on("close", () => {
      clearTimeout(killer);
      const specs = existsSync(report) ? readReport(report) : [];
      rmSync(folder, { recursive: true, force: true });
      resolve({ specs, output });
    });
  });
}

// A killed suite leaves an incomplete report.
function readReport(file) {
  let reports;
  try {
    reports = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return [];
  }
  return (reports[0]?.SpecReports ?? [])
    .filter(({ LeafNodeType: type }) => type === "It")
    .map((spec) => ({
      title: [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(" "),
      state: spec.State,
      message: spec.Failure?.Message ?? "",
      seconds: spec.RunTime / 1e9,
    }));
}

function escapeRegExp(text) {
  return text.replace(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
}

function lastLines(output) {
  return output.trimEnd().split("\n").slice(-5).join("\n");
}

/** Writes a kubeconfig for the suite, and returns its path with a function that removes it. */
export function temporaryKubeconfig(text) {
  const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-conformance-"));
  const file = path.join(folder, "kubeconfig");
  writeFileSync(file, text, { mode: 0o600 });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
