// Builds a real control plane that hack/control-plane pins, once per version, into the user's cache folder. Prints that folder as its last line.
//
//   node scripts/build-control-plane.mjs [--kubernetes 1.37] [--force]
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import {
  DEFAULT_MINOR,
  kubernetesModule,
  MODULES,
  pinnedVersion,
  RECORDED_MINOR,
  selectedMinor,
} from "./control-plane-pins.mjs";
import { buildGoProgram, CACHE, EXECUTABLE_SUFFIX, goVersion } from "./go-programs.mjs";

/** What is built, cheapest first: `module` is a folder of hack/control-plane, with one folder per minor in `kubernetes`; `source` is the program's import path. */
const PROGRAMS = [
  { name: "etcd", module: "etcd", source: "go.etcd.io/etcd/server/v3" },
  { name: "kube-apiserver", module: "kubernetes", source: "k8s.io/kubernetes/cmd/kube-apiserver" },
  { name: "kube-controller-manager", module: "kubernetes", source: "k8s.io/kubernetes/cmd/kube-controller-manager" },
  { name: "kube-scheduler", module: "kubernetes", source: "k8s.io/kubernetes/cmd/kube-scheduler" },
  { name: "kubectl", module: "kubernetes", source: "k8s.io/kubernetes/cmd/kubectl" },
  { name: "kwok", module: "kwok", source: "sigs.k8s.io/kwok/cmd/kwok" },
];
const NODE_PROGRAMS = [{ name: "kubelet", module: "kubernetes", source: "k8s.io/kubernetes/cmd/kubelet" }];

if (process.argv[1] === fileURLToPath(import.meta.url)) main();

function main() {
  if (goVersion() === undefined) {
    console.error(
      "SKIPPED: the real control plane was NOT built, since there is no Go on the PATH (install Go 1.26 or later)",
    );
    process.exit(1);
  }
  const minor = selectedMinor(process.argv.slice(2));
  console.log(buildControlPlane({ minor, force: process.argv.includes("--force") }));
}

/** Returns the folder that holds the programs of a minor, having built those that are missing or were made from other pins. Throws when a build fails. */
export function buildControlPlane({ minor = RECORDED_MINOR, force = false } = {}) {
  return buildPrograms(PROGRAMS, { kind: "control-plane", minor, force });
}

/** Returns the folder that holds the kubelet of a minor, built like the control plane. In a separate folder, since only the tests on a node need it. */
export function buildKubelet({ minor = DEFAULT_MINOR, force = false } = {}) {
  return buildPrograms(NODE_PROGRAMS, { kind: "node", minor, force });
}

function buildPrograms(programs, { kind, minor, force }) {
  const target = path.join(CACHE, kind, pinnedVersion(minor));
  const pins = pinsHash(programs, minor);
  if (!force && isComplete(programs, target, pins)) return target;
  const staging = `${target}.building-${String(process.pid)}`;
  mkdirSync(staging, { recursive: true });
  try {
    for (const program of programs) buildProgram(program, minor, staging);
    writeFileSync(path.join(staging, "pins.json"), JSON.stringify({ pins, go: goVersion() }));
    replaceFolder(staging, target);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return target;
}

function pinsHash(programs, minor) {
  const hash = createHash("sha256").update(JSON.stringify(programs));
  for (const module of new Set(programs.map((program) => program.module))) {
    for (const file of ["go.mod", "go.sum"]) hash.update(readFileSync(path.join(moduleFolder(module, minor), file)));
  }
  return hash.digest("hex");
}

function moduleFolder(module, minor) {
  return module === "kubernetes" ? kubernetesModule(minor) : path.join(MODULES, module);
}

function isComplete(programs, folder, pins) {
  try {
    const recorded = JSON.parse(readFileSync(path.join(folder, "pins.json"), "utf8"));
    return (
      recorded.pins === pins && programs.every(({ name }) => existsSync(path.join(folder, name + EXECUTABLE_SUFFIX)))
    );
  } catch {
    return false;
  }
}

function buildProgram({ name, module, source }, minor, folder) {
  const start = Date.now();
  console.error(`building ${name} …`);
  const output = path.join(folder, name + EXECUTABLE_SUFFIX);
  const linkerFlags = module === "kubernetes" ? versionFlags(pinnedVersion(minor)) : "";
  buildGoProgram({ module: moduleFolder(module, minor), source, output, linkerFlags });
  console.error(`built ${name} in ${((Date.now() - start) / 1000).toFixed(0)} s`);
}

// Released programs learn their version from the linker; without it the server would claim to be v0.0.0.
function versionFlags(version) {
  const [major = "", minor = ""] = version.slice(1).split(".");
  const values = {
    gitVersion: version,
    gitMajor: major,
    gitMinor: minor,
    gitTreeState: "archive",
    gitCommit: "unknown",
  };
  const packages = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"];
  const settings = packages.flatMap((name) =>
    Object.entries(values).map(([key, value]) => `-X ${name}.${key}=${value}`),
  );
  return settings.join(" ");
}

function replaceFolder(staging, target) {
  mkdirSync(path.dirname(target), { recursive: true });
  rmSync(target, { recursive: true, force: true });
  renameSync(staging, target);
}
