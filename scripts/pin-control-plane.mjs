// Writes the pins of the real control plane for one version of Kubernetes, hack/control-plane/kubernetes/<minor>: derives go.mod from
// the version's own go.mod, whose list of staging modules differs per minor, and has Go write go.sum. Needs Go and its module proxy.
//
//   node scripts/pin-control-plane.mjs 1.37.2
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { kubernetesModule, minorOf } from "./control-plane-pins.mjs";
import { goEnvironment } from "./go-programs.mjs";

const PROGRAMS = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl", "kubelet"];

if (process.argv[1] === fileURLToPath(import.meta.url)) main();

function main() {
  const [version = ""] = process.argv.slice(2);
  if (process.argv.length !== 3 || !/^\d+\.\d+\.\d+$/u.test(version)) {
    console.error("usage: node scripts/pin-control-plane.mjs <version, such as 1.37.2>");
    process.exit(2);
  }
  const folder = kubernetesModule(minorOf(version));
  const { GoMod } = JSON.parse(go(["mod", "download", "-json", `k8s.io/kubernetes@v${version}`]));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "go.mod"), printGoMod(version, readFileSync(GoMod, "utf8")));
  // Hashes of the former version would remain.
  rmSync(path.join(folder, "go.sum"), { force: true });
  go(["mod", "tidy"], folder);
  console.log(folder);
}

/** Prints the module that names the programs of a version, `upstream` being the go.mod of k8s.io/kubernetes. Go adds the indirect requirements. */
export function printGoMod(version, upstream) {
  const language = /^go (\S+)$/mu.exec(upstream)?.[1];
  const staging = [...upstream.matchAll(/^[ \t]*(?:replace )?(\S+) => \.\/staging\//gmu)].map(([, module]) => module);
  if (language === undefined || staging.length === 0)
    throw new Error(`the go.mod of k8s.io/kubernetes ${version} names no version of Go, or no staging modules`);
  const [, ...rest] = version.split(".");
  return `module kubescaffold.dev/hack/control-plane/kubernetes

go ${language}

tool (
${PROGRAMS.map((name) => `\tk8s.io/kubernetes/cmd/${name}\n`).join("")})

require k8s.io/kubernetes v${version} // indirect

replace (
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
