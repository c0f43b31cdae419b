// cspell:ignore onsi gomega
// Writes the pins of one version of Kubernetes: of the real control plane, hack/control-plane/kubernetes/<minor>, and of the conformance suite,
// hack/conformance/kubernetes/<minor>. Derives go.mod from the version's own go.mod, whose list of staging modules differs per minor, and has Go write
// go.sum. Needs Go and its module proxy.
//
//   node scripts/pin-control-plane.mjs 1.37.2
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { conformanceModule, SUITE } from "./conformance/suite-module.mjs";
import { kubernetesModule, minorOf } from "./control-plane-pins.mjs";
import { goEnvironment } from "./go-programs.mjs";

const PROGRAMS = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl", "kubelet"];
const SUITE_LIBRARIES = ["github.com/onsi/ginkgo/v2", "github.com/onsi/gomega"];

if (process.argv[1] === fileURLToPath(import.meta.url)) main();

function main() {
  const [version = ""] = process.argv.slice(2);
  if (process.argv.length !== 3 || !/^\d+\.\d+\.\d+$/u.test(version)) {
    console.error("usage: node scripts/pin-control-plane.mjs <version, such as 1.37.2>");
    process.exit(2);
  }
  const { GoMod } = JSON.parse(go(["mod", "download", "-json", `k8s.io/kubernetes@v${version}`]));
  const upstream = readFileSync(GoMod, "utf8");
  pin(kubernetesModule(minorOf(version)), printGoMod(version, upstream));
  pin(conformanceModule(minorOf(version)), printSuiteGoMod(version, upstream), [SUITE]);
}

function pin(folder, module, sources = []) {
  const work = mkdtempSync(path.join(tmpdir(), "kubescaffold-pins-"));
  try {
    writeFileSync(path.join(work, "go.mod"), module);
    for (const source of sources) copyFileSync(source, path.join(work, path.basename(source)));
    go(["mod", "tidy"], work);
    mkdirSync(folder, { recursive: true });
    for (const file of ["go.mod", "go.sum"]) copyFileSync(path.join(work, file), path.join(folder, file));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  console.log(folder);
}

/** Prints the module that names the programs of a version, `upstream` being the go.mod of k8s.io/kubernetes. Go adds the indirect requirements. */
export function printGoMod(version, upstream) {
  return `module kubescaffold.dev/hack/control-plane/kubernetes

go ${languageOf(version, upstream)}

tool (
${PROGRAMS.map((name) => `\tk8s.io/kubernetes/cmd/${name}\n`).join("")})

require k8s.io/kubernetes v${version} // indirect

${stagingReplacements(version, upstream)}`;
}

/** Prints the module of the conformance suite of a version, with the versions of the libraries that it imports in `upstream`. */
export function printSuiteGoMod(version, upstream) {
  const libraries = SUITE_LIBRARIES.map((name) => {
    const line = upstream.split("\n").find((each) => each.trim().startsWith(`${name} v`));
    if (line === undefined) throw new Error(`the go.mod of k8s.io/kubernetes ${version} does not require ${name}`);
    return `\t${line.trim()}\n`;
  });
  return `module kubescaffold.dev/hack/conformance

go ${languageOf(version, upstream)}

require (
${libraries.join("")}\tk8s.io/kubernetes v${version}
)

${stagingReplacements(version, upstream)}`;
}

function languageOf(version, upstream) {
  const language = /^go (\S+)$/mu.exec(upstream)?.[1];
  if (language === undefined) throw new Error(`the go.mod of k8s.io/kubernetes ${version} names no version of Go`);
  return language;
}

function stagingReplacements(version, upstream) {
  const staging = [...upstream.matchAll(/^[ \t]*(?:replace )?(\S+) => \.\/staging\//gmu)].map(([, module]) => module);
  if (staging.length === 0) throw new Error(`the go.mod of k8s.io/kubernetes ${version} names no staging modules`);
  const [, ...rest] = version.split(".");
  return `replace (
${staging.map((module) => `\t${module} => ${module} v0.${rest.join(".")}\n`).join("")})
`;
}

function go(args, cwd) {
  const run = spawnSync("go", args, {
    cwd,
    env: goEnvironment(),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (run.status !== 0) throw new Error(`go ${args.join(" ")} failed`, { cause: run.error });
  return run.stdout;
}
