/*
 * Of the Acme lagoon office. All rights reserved.
 */

// Brings the operator into the cluster of the current kubeconfig and out of it again. Needs kubectl; changes no file of the project.
//
//   node hack/deploy.mjs install|uninstall           the CRDs alone
//   node hack/deploy.mjs deploy|undeploy             everything; undeploy keeps the CRDs with their objects, and the namespace
//   node hack/deploy.mjs build-installer             everything, into dist/install.yaml
//
// IMG names the image, in place of the one in config/manager; KUBECTL names the program. Flags of uninstall and undeploy:
//
//   --ignore-not-found    what is not there counts as deleted
//   --delete-crds         undeploy deletes the CRDs too, all objects of theirs, and the namespace
//   --timeout=2m          how long CRDs and their objects may take; the manager goes after them, since its finalizers are theirs
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";

const COMMANDS = {
  install: () => apply(crds(), "no CRDs to install"),
  uninstall: () => remove(crds(), "no CRDs to delete"),
  deploy: async () => apply(await everything(), "nothing to deploy"),
  undeploy: () => (options["delete-crds"] ? removeCrdsFirst(build("config/default")) : removeAllButData()),
  "build-installer": async () => {
    const manifests = await everything();
    mkdirSync("dist", { recursive: true });
    writeFileSync("dist/install.yaml", manifests);
    console.log("dist/install.yaml");
    return 0;
  },
};
const kubectl = process.env.KUBECTL || "kubectl";
const [command, ...flags] = process.argv.slice(2);
const options = readFlags();

try {
  if (!Object.hasOwn(COMMANDS, command ?? "")) usage(`unknown command: ${command ?? ""}`);
  process.exitCode = await COMMANDS[command]();
} catch (error) {
  console.error(error.message);
  process.exitCode = error.status ?? 1;
}

function readFlags() {
  const values = { "ignore-not-found": false, "delete-crds": false, "keep-crds": false, timeout: "2m" };
  for (const flag of flags) {
    const [, name = "", value] = /^--([a-z-]+)(?:=(.*))?$/u.exec(flag) ?? [];
    if (!Object.hasOwn(values, name)) usage(`unknown flag: ${flag}`);
    if (name !== "timeout") values[name] = value === undefined || value === "true";
    else if (/^(?:\d+(?:\.\d+)?(?:h|m|s|ms))+$/u.test(value ?? "")) values.timeout = value;
    else usage(`--timeout needs a duration such as 90s or 5m: ${flag}`);
  }
  if (values["keep-crds"]) values["delete-crds"] = false;
  return values;
}

function usage(mistake) {
  console.error(`${mistake}\nusage: node hack/deploy.mjs ${Object.keys(COMMANDS).join("|")} [flags]`);
  process.exit(2);
}

function crds() {
  return existsSync("config/crd/kustomization.yaml") ? build("config/crd") : "";
}

function build(folder) {
  return run(["kustomize", folder], { stdio: ["ignore", "pipe", "inherit"] });
}

// The image is replaced in what is built, so that the project stays as it is.
async function everything() {
  const image = process.env.IMG;
  const manifests = build("config/default");
  if (image === undefined) return manifests;
  if (!/^\S+$/u.test(image)) throw failure(`IMG="${image}" names no image: name one, or unset it`, 2);
  const current = await managerImage(manifests);
  return manifests
    .split("\n")
    .map((line) => {
      const [, key, value = ""] = /^(\s*(?:- )?image: )(.*)$/u.exec(line) ?? [];
      return value.replaceAll(/^["']|["']$/gu, "") === current ? `${key}${image}` : line;
    })
    .join("\n");
}

async function managerImage(manifests) {
  const { readYaml } = await import("@kubescaffold/k8s/yaml").catch(() => {
    throw failure("cannot read the manifests: install the project's packages with `npm install`");
  });
  for (const document of documentsOf(manifests).filter((text) => /^kind: Deployment$/mu.test(text))) {
    const { metadata, spec } = readYaml(document);
    const { containers = [] } = spec?.template?.spec ?? {};
    const manager = containers.find(({ name }) => name === "manager") ?? (containers.length === 1 ? containers[0] : {});
    if (metadata.labels?.["control-plane"] === "controller-manager" && manager.image) return manager.image;
  }
  throw failure(
    "cannot set the image IMG: config/default has no Deployment labelled control-plane: controller-manager with a container called manager",
  );
}

function documentsOf(manifests) {
  return manifests.split(/^---\n/mu);
}

// Server-side: a large CRD does not fit into the annotation that a client-side apply writes.
function apply(manifests, emptyMessage) {
  return send(["apply", "--server-side", "--force-conflicts", "-f", "-"], manifests, emptyMessage);
}

function remove(manifests, emptyMessage, ...more) {
  return send(
    ["delete", `--ignore-not-found=${options["ignore-not-found"]}`, ...more, "-f", "-"],
    manifests,
    emptyMessage,
  );
}

// The CRDs stay, with all objects of theirs, and so does the namespace the manager ran in, which may hold some of them and other things.
function removeAllButData() {
  const documents = documentsOf(build("config/default"));
  const isKept = (document) => /^kind: (?:CustomResourceDefinition|Namespace)$/mu.test(document);
  const status = remove(documents.filter((document) => !isKept(document)).join("---\n"), "nothing to delete");
  const kept = documents.filter((document) => isKept(document));
  // What is there after a failure is not known here: kubectl has said what it could not delete.
  if (kept.length === 0 || status !== 0) return status;
  console.log(`kept, with what is in them: ${kept.map((document) => nameOf(document)).join(", ")}`);
  if (kept.some((document) => /^ {4}strategy: Webhook$/mu.test(document)))
    console.log(
      "some convert their versions by the operator: until it is back, objects can be had in the stored version only",
    );
  console.log("--delete-crds deletes them (make undeploy delete-crds=true)");
  return status;
}

function nameOf(document) {
  const [, kind = ""] = /^kind: (\S+)$/mu.exec(document) ?? [];
  const [, name = ""] = /^metadata:\n(?: .*\n)*? {2}name: (\S+)$/mu.exec(document) ?? [];
  return kind === "Namespace" ? `namespace ${name}` : name;
}

function removeCrdsFirst(manifests) {
  const isCrd = (document) => /^kind: CustomResourceDefinition$/mu.test(document);
  const definitions = documentsOf(manifests).filter((document) => isCrd(document));
  const deleted = remove(definitions.join("---\n"), "no CRDs to delete", `--timeout=${options.timeout}`);
  const left = deleted === 0 ? [] : definitions.map((document) => nameOf(document)).filter((name) => isThere(name));
  if (left.length > 0) return reportLeft(left);
  const others = documentsOf(manifests).filter((document) => !isCrd(document));
  return remove(others.join("---\n"), "nothing to delete") || deleted;
}

function isThere(name) {
  return run(["get", "crd", name, "--ignore-not-found", "-o", "name"]).trim() !== "";
}

// Without the manager nobody would run its finalizers: it stays until they are done.
function reportLeft(names) {
  console.error(`not deleted within ${options.timeout}; the manager was left running:`);
  for (const name of names) {
    const objects = run(["get", name, "--all-namespaces", "--no-headers", "--ignore-not-found"]).trim();
    console.error(`  ${name}${objects === "" ? "" : `\n    ${objects.replaceAll("\n", "\n    ")}`}`);
  }
  console.error(
    "its log says what its finalizers wait for; then run undeploy again, with a longer --timeout if it only takes long",
  );
  return 1;
}

function send(args, input, emptyMessage) {
  if (input.trim() === "") {
    console.log(emptyMessage);
    return 0;
  }
  return spawn(args, { input, stdio: ["pipe", "inherit", "inherit"] }).status ?? 1;
}

function run(args, settings = {}) {
  const { status, stdout } = spawn(args, { stdio: ["ignore", "pipe", "inherit"], ...settings });
  if (status !== 0) throw failure(`${kubectl} ${args.join(" ")} did not succeed`);
  return stdout;
}

function spawn(args, settings) {
  const result = spawnSync(kubectl, args, { encoding: "utf8", maxBuffer: 256 * 1024 * 1024, ...settings });
  if (result.error === undefined) return result;
  const reason = result.error.code === "ENOENT" ? "there is no such program" : result.error.message;
  throw failure(`cannot run ${kubectl}: ${reason}; install kubectl, or name it with KUBECTL`);
}

function failure(message, status = 1) {
  return Object.assign(new Error(message), { status });
}
