/*
Copyright 2026 The Kubescaffold authors.

SPDX-License-Identifier: Apache-2.0
*/

// Brings the operator into the cluster of the current kubeconfig and out of it again. Needs kubectl; changes no file of the project.
//
//   node hack/deploy.mjs install|uninstall           the CRDs alone
//   node hack/deploy.mjs deploy|undeploy             everything
//   node hack/deploy.mjs build-installer             everything, into dist/install.yaml
//
// IMG names the image, KUBECTL the program; --ignore-not-found and --keep-crds are for uninstall and undeploy.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";

const [command, ...flags] = process.argv.slice(2);
const kubectl = process.env.KUBECTL ?? "kubectl";
const image = process.env.IMG ?? "controller:latest";
const COMMANDS = {
  install: () => apply(crds(), "no CRDs to install"),
  uninstall: () => remove(crds(), "no CRDs to delete"),
  deploy: () => apply(everything(), "nothing to deploy"),
  undeploy: () => remove(flags.includes("--keep-crds") ? withoutKept(everything()) : everything(), "nothing to delete"),
  "build-installer": () => {
    mkdirSync("dist", { recursive: true });
    writeFileSync("dist/install.yaml", everything());
    console.log("dist/install.yaml");
  },
};

const run = COMMANDS[command];
if (run === undefined) {
  console.error(`usage: node hack/deploy.mjs ${Object.keys(COMMANDS).join("|")}`);
  process.exit(2);
}
run();

function crds() {
  return existsSync("config/crd/kustomization.yaml") ? build("config/crd") : "";
}

// The image is replaced in what is built, so that the project stays as it is.
function everything() {
  return build("config/default").replaceAll(/^(\s*image:) controller:latest$/gmu, (_, key) => `${key} ${image}`);
}

function build(folder) {
  return execFileSync(kubectl, ["kustomize", folder], { encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
}

// The CRDs stay, with all objects of theirs, and so does the namespace the manager ran in, which may hold other things.
function withoutKept(manifests) {
  return manifests
    .split(/^---$/mu)
    .filter((document) => !/^kind: (?:CustomResourceDefinition|Namespace)$/mu.test(document))
    .join("---");
}

// Server-side: a large CRD does not fit into the annotation that a client-side apply writes.
function apply(manifests, emptyMessage) {
  pipe(["apply", "--server-side", "--force-conflicts", "-f", "-"], manifests, emptyMessage);
}

function remove(manifests, emptyMessage) {
  pipe(["delete", `--ignore-not-found=${flags.includes("--ignore-not-found")}`, "-f", "-"], manifests, emptyMessage);
}

function pipe(args, input, emptyMessage) {
  if (input.trim() === "") {
    console.log(emptyMessage);
    return;
  }
  const { status, error } = spawnSync(kubectl, args, { input, stdio: ["pipe", "inherit", "inherit"] });
  if (error !== undefined) throw error;
  process.exit(status ?? 1);
}
