// Controller-gen and a Go module that knows Kubernetes, both made once in the user's cache folder: the reference of golden cases, oracle tests and measurements.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { pinnedVersion } from "./control-plane-pins.mjs";
import { CACHE as USER_CACHE, EXECUTABLE_SUFFIX } from "./go-programs.mjs";

export const CONTROLLER_GEN = "v0.23.0";
export const CACHE = path.join(USER_CACHE, "golden-reference");

const PROGRAM = `controller-gen${EXECUTABLE_SUFFIX}`;

/** Returns the path of controller-gen in the user's cache, GOBIN or the PATH, having installed it where it is missing. */
export function installControllerGen() {
  const bin = path.join(CACHE, `controller-gen-${CONTROLLER_GEN}`);
  const folders = [bin, process.env["GOBIN"], ...(process.env["PATH"] ?? "").split(path.delimiter)];
  const found = folders
    .filter((folder) => folder !== undefined && folder !== "")
    .map((folder) => path.join(folder, PROGRAM))
    .find((file) => existsSync(file) && isWantedVersion(file));
  if (found !== undefined) return found;
  mkdirSync(bin, { recursive: true });
  run("go", ["install", `sigs.k8s.io/controller-tools/cmd/controller-gen@${CONTROLLER_GEN}`], {
    env: { ...process.env, GOBIN: bin },
  });
  return path.join(bin, PROGRAM);
}

function isWantedVersion(file) {
  return spawnSync(file, ["--version"], { encoding: "utf8" }).stdout?.trim() === `Version: ${CONTROLLER_GEN}`;
}

/** Returns the folder of a Go module that requires the types of a minor of Kubernetes; the file in it keeps their packages in go.sum. */
export function prepareModule(minor) {
  const version = pinnedVersion(minor).replace(/^v1\./u, "v0.");
  const module = path.join(CACHE, `module-${version}`);
  if (existsSync(path.join(module, "go.sum"))) return module;
  mkdirSync(path.join(module, "anchor"), { recursive: true });
  const requirements = ["api", "apimachinery", "apiextensions-apiserver"]
    .map((name) => `\tk8s.io/${name} ${version}\n`)
    .join("");
  writeFileSync(
    path.join(module, "go.mod"),
    `module golden.example.com/cases\n\ngo 1.25.0\n\nrequire (\n${requirements})\n`,
  );
  const imports = [
    "k8s.io/api/apps/v1",
    "k8s.io/api/batch/v1",
    "k8s.io/api/core/v1",
    "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1",
    "k8s.io/apimachinery/pkg/apis/meta/v1",
    "k8s.io/apimachinery/pkg/runtime",
    "k8s.io/apimachinery/pkg/util/intstr",
    "k8s.io/apimachinery/pkg/api/resource",
  ];
  writeFileSync(
    path.join(module, "anchor", "anchor.go"),
    `package anchor\n\nimport (\n${imports.map((each) => `\t_ "${each}"\n`).join("")})\n`,
  );
  run("go", ["mod", "tidy"], { cwd: module });
  return module;
}

/** Runs a program and returns what it prints; throws when it fails. */
export function run(command, words, options = {}) {
  return execFileSync(command, words, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "pipe"],
    ...options,
  });
}
