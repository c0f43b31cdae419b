// Builds Kubernetes' end-to-end suite, lists its specs, and runs one of them against an API server.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { CACHE, EXECUTABLE_SUFFIX, goEnvironment } from "../go-programs.mjs";
import { conformanceModule, SUITE } from "./suite-module.mjs";

// A spec that does not end after its own time is killed.
const GRACE_MS = 10_000;

/** Returns the path of the suite of a minor, having built it where it is missing. Throws when the build fails. */
export function buildSuite(minor) {
  const program = path.join(CACHE, "conformance", pins(minor), `conformance${EXECUTABLE_SUFFIX}`);
  if (existsSync(program)) return program;
  console.error(`building the conformance suite of ${minor}, which takes some minutes …`);
  const module = `${path.dirname(program)}.${String(process.pid)}`;
  mkdirSync(module, { recursive: true });
  try {
    for (const source of sourcesOf(minor)) copyFileSync(source, path.join(module, path.basename(source)));
    compile(module, path.basename(program));
    mkdirSync(path.dirname(program), { recursive: true });
    renameSync(path.join(module, path.basename(program)), program);
  } finally {
    rmSync(module, { recursive: true, force: true });
  }
  return program;
}

function compile(module, output) {
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
    output,
    ".",
  ];
  const result = spawnSync("go", args, { cwd: module, env: goEnvironment(), stdio: ["ignore", "inherit", "inherit"] });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`go test -c ended with status ${String(result.status)}`);
}

function pins(minor) {
  const hash = createHash("sha256");
  for (const file of sourcesOf(minor)) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

function sourcesOf(minor) {
  return [...["go.mod", "go.sum"].map((file) => path.join(conformanceModule(minor), file)), SUITE];
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
