/*
 * Of the Acme lagoon office. All rights reserved.
 */

// Runs the end-to-end tests in a cluster of their own.
//
//   node hack/e2e.mjs run             makes the cluster unless it is there, runs the tests, removes it whatever they say
//   node hack/e2e.mjs setup           makes the cluster unless it is there
//   node hack/e2e.mjs cleanup         removes it
//   node hack/e2e.mjs install-kind    kind itself, into bin/; does nothing where there is one
//
// KIND names the program, KIND_CLUSTER the cluster, KIND_DOWNLOADS a mirror of kind's releases. `run` passes its arguments on to vitest.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const VERSION = "v0.30.0";
// The sums stand beside the files on the page of the release: change both together.
const SHA256 = {
  "linux-amd64": "517ab7fc89ddeed5fa65abf71530d90648d9638ef0c4cde22c2c11f8097b8889",
  "linux-arm64": "7ea2de9d2d190022ed4a8a4e3ac0636c8a455e460b9a13ccf19f15d07f4f00eb",
  "darwin-amd64": "4f0b6e3b88bdc66d922c08469f05ef507d4903dd236e6319199bb9c868eed274",
  "darwin-arm64": "ceaf40df1d1551c481fb50e3deb5c3deecad5fd599df5469626b70ddf52a1518",
};
const downloads = process.env.KIND_DOWNLOADS || "https://github.com/kubernetes-sigs/kind/releases/download";
const built = path.resolve("bin", process.platform === "win32" ? "kind.exe" : "kind");
const kind = process.env.KIND || (existsSync(built) ? built : "kind");
const cluster = process.env.KIND_CLUSTER || "lagoon-test-e2e";
const KUBECONFIG = path.resolve("dist", "test-e2e.kubeconfig");
const COMMANDS = { run, setup, cleanup, "install-kind": installKind };

const [command = "", ...more] = process.argv.slice(2);
if (!Object.hasOwn(COMMANDS, command)) {
  console.error(`usage: node hack/e2e.mjs ${Object.keys(COMMANDS).join("|")}`);
  process.exit(2);
}
try {
  process.exitCode = await COMMANDS[command]();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

// The tests see this cluster and no other, whatever the current kubeconfig says.
async function run() {
  let tests;
  // Whoever interrupts the tests ends them; the cluster is removed all the same.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => tests?.kill("SIGTERM"));
  try {
    setup();
    mkdirSync(path.dirname(KUBECONFIG), { recursive: true });
    writeFileSync(KUBECONFIG, output("get", "kubeconfig", "--name", cluster), { mode: 0o600 });
    const vitest = path.resolve("node_modules", "vitest", "vitest.mjs");
    const env = { ...process.env, KUBECONFIG, KIND: kind, KIND_CLUSTER: cluster };
    tests = spawn(process.execPath, [vitest, "run", "--config", "vitest.e2e.config.ts", ...more], {
      stdio: "inherit",
      env,
    });
    return await new Promise((resolve, reject) => {
      tests.once("error", reject).once("exit", (status) => resolve(status ?? 1));
    });
  } finally {
    cleanup();
  }
}

function setup() {
  if (output("get", "clusters").split("\n").includes(cluster)) return 0;
  show("create", "cluster", "--name", cluster);
  return 0;
}

function cleanup() {
  show("delete", "cluster", "--name", cluster);
  return 0;
}

async function installKind() {
  if (spawnSync(kind, ["version"], { stdio: "inherit" }).status === 0) return 0;
  const platform = `${process.platform}-${process.arch.replace("x64", "amd64")}`;
  const expected = SHA256[platform];
  if (expected === undefined)
    throw new Error(`kind ${VERSION} is not known for ${platform}: install it yourself, or name it with KIND`);
  const url = `${downloads}/${VERSION}/kind-${platform}`;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot download ${url}: ${response.status} ${response.statusText}`);
  const program = Buffer.from(await response.arrayBuffer());
  const found = createHash("sha256").update(program).digest("hex");
  if (found !== expected)
    throw new Error(`${url} is not what kind ${VERSION} is: its SHA-256 is ${found}, not ${expected}`);
  mkdirSync(path.dirname(built), { recursive: true });
  writeFileSync(built, program, { mode: 0o755 });
  console.log(path.relative(".", built));
  return 0;
}

function output(...args) {
  return call(args, ["ignore", "pipe", "inherit"]);
}

function show(...args) {
  call(args, "inherit");
}

function call(args, stdio) {
  const { status, stdout, error } = spawnSync(kind, args, { encoding: "utf8", stdio });
  if (error?.code === "ENOENT")
    throw new Error(`cannot run ${kind}: there is no such program; \`npm run install-kind\` brings it`);
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${kind} ${args.join(" ")} did not succeed`);
  return stdout ?? "";
}
