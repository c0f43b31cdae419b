// Installs and manages the chart's release in the cluster of the current kubeconfig. Requires helm; does not change files.
//
//   node hack/helm.mjs lint|deploy|uninstall|status|history|rollback
//   node hack/helm.mjs install-helm        builds helm into bin/ with Go, unless it is installed
//
// IMG is the image to deploy. HELM, HELM_NAMESPACE, HELM_RELEASE, HELM_CHART_DIR, and HELM_EXTRA_ARGS override the defaults below.
import { spawnSync } from "node:child_process";
import console from "node:console";
import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";

const VERSION = "v4.3.1";
const namespace = process.env.HELM_NAMESPACE || "lagoon-system";
const release = process.env.HELM_RELEASE || "lagoon";
const chart = process.env.HELM_CHART_DIR || "dist/chart";
const image = process.env.IMG || "controller:latest";
const extra = words(process.env.HELM_EXTRA_ARGS ?? "");

const COMMANDS = {
  lint: () => helm("lint", chart),
  deploy: () =>
    helm("upgrade", "--install", release, chart, "--create-namespace", ...imageFlags(), "--wait", "--timeout", "5m"),
  uninstall: () => helm("uninstall", release),
  status: () => helm("status", release),
  history: () => helm("history", release),
  rollback: () => helm("rollback", release),
  "install-helm": installHelm,
};

const command = COMMANDS[process.argv[2]];
if (command === undefined) {
  console.error(`usage: node hack/helm.mjs ${Object.keys(COMMANDS).join("|")}`);
  process.exit(2);
}
process.exitCode = command();

// Splits the image reference into chart values: it can have a digest, a tag, and a registry with a port.
function imageFlags() {
  const [tagged, digest = ""] = image.split("@");
  const colon = tagged.lastIndexOf(":");
  const hasTag = colon > tagged.lastIndexOf("/");
  const repository = hasTag ? tagged.slice(0, colon) : tagged;
  const tag = hasTag ? tagged.slice(colon + 1) : digest === "" ? "latest" : "";
  return Object.entries({ repository, tag, digest }).flatMap(([key, value]) => [
    "--set-string",
    `manager.image.${key}=${value}`,
  ]);
}

function helm(...args) {
  const program = findHelm();
  if (program === undefined) {
    console.error("cannot find helm: run `npm run install-helm`, or set HELM to the program");
    return 1;
  }
  return run(program, [...args, "--namespace", namespace, ...extra]);
}

function installHelm() {
  const program = findHelm();
  if (program !== undefined) {
    console.log(`helm is already installed: ${program}`);
    return 0;
  }
  console.log(`building helm ${VERSION} into bin/`);
  const status = run("go", ["install", `helm.sh/helm/v4/cmd/helm@${VERSION}`], { GOBIN: path.resolve("bin") });
  if (status !== 0) console.error("cannot build helm: install Go, or install helm yourself");
  return status;
}

function findHelm() {
  if (process.env.HELM) return process.env.HELM;
  const built = path.join("bin", process.platform === "win32" ? "helm.exe" : "helm");
  const programs = existsSync(built) ? [path.resolve(built), "helm"] : ["helm"];
  return programs.find((program) => spawnSync(program, ["version"], { stdio: "ignore" }).status === 0);
}

function run(program, args, env = {}) {
  const { status, error } = spawnSync(program, args, { stdio: "inherit", env: { ...process.env, ...env } });
  if (error !== undefined) console.error(`${program}: ${error.message}`);
  return status ?? 1;
}

// Splits a line into words like a shell, without expansions.
function words(line) {
  const found = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/gu) ?? [];
  return found.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/gu, "$1$2"));
}
