import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";

import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";

import { importScript } from "../../../../test/support/import-script.ts";
import { runProgram } from "../../src/stand-ins/program.ts";
import { archive, type ReleaseServer, startReleaseServer } from "../binaries/release-server.ts";

const { pinnedToolPath } = await importScript<{ readonly pinnedToolPath: (name: string) => string }>(
  "pinned-go-tool.mjs",
);
const REFERENCE = pinnedToolPath("setup-envtest");
const isBuilt = existsSync(REFERENCE);
if (!isBuilt)
  console.warn(
    "SKIPPED: `envtest use` and others were NOT compared; `node scripts/pinned-go-tool.mjs setup-envtest` builds the reference",
  );

/** A command, and the state that it is run in. */
interface Case {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The name of an archive that is piped into the command. */
  readonly input?: "good" | "damaged" | "cut" | "escaping" | "no archive";
}

interface Outcome {
  readonly status: number;
  readonly out: string;
  readonly store: readonly string[];
}

// Each case starts with the store that the former one left, so that the order matters.
const CASES: readonly Case[] = [
  { args: ["list"] },
  { args: ["list", "--os", "*", "--arch=*"] },
  { args: ["list", "<1.31", "--arch", "*"] },
  { args: ["use", "-i"] },
  { args: ["use", "1.31.2", "-i"] },
  { args: ["use", "1.31.0"] },
  { args: ["use", "1.31.0"] },
  { args: ["-p", "path", "use", "1.31"] },
  { args: ["use", "1.31.x!"] },
  { args: ["use", "1.31.x!", "--print=env"] },
  { args: ["use", "1.31.x", "-ip", "path"] },
  { args: ["use", "~1.31.1", "-ppath"] },
  { args: ["use", "~1.31.9"] },
  { args: ["use", "latest", "--force"] },
  { args: ["use"] },
  { args: ["use", "latest-on-disk", "-p=path"] },
  { args: ["use", "latest-on-disk", "--force"] },
  { args: ["use", "-i", "--force", "1.31.2"] },
  { args: ["use", "<=1.31", "--installed-only=true"] },
  { args: ["use", "1.31.0", "--force", "--verify=false"] },
  { args: ["use", "1.31.0", "--force", "--verify=f"] },
  { args: ["use", "1.31", "--force"] },
  { args: ["use", "1.99.0"] },
  { args: ["use", "1.99"] },
  { args: ["use", "1.32.1"] },
  { args: ["use", "1.32.1", "--arch", "arm64"] },
  { args: ["use", "--arch", "*", "1.32"] },
  { args: ["use", "--arch", "*", "1.32.1"] },
  { args: ["use", "--os", "", "1.32.1"] },
  // A wrong checksum, a damaged archive, and a path outside of the folder.
  { args: ["use", "1.30.0"] },
  { args: ["use", "1.30.0", "--verify=false"] },
  { args: ["use", "1.29.0"] },
  { args: ["use", "1.28.0"] },
  { args: ["sideload"] },
  { args: ["sideload", "1.31"], input: "good" },
  { args: ["sideload", "1.27.1", "--os", "*"], input: "good" },
  { args: ["sideload", "1.27.1"], input: "good" },
  { args: ["sideload", "1.27.2", "-p", "path", "--arch=arm64"], input: "good" },
  { args: ["sideload", "1.27.3"], input: "damaged" },
  { args: ["sideload", "1.27.3"], input: "cut" },
  { args: ["sideload", "1.27.3"], input: "no archive" },
  { args: ["sideload", "1.27.4"], input: "escaping" },
  { args: ["list", "1.27", "-i", "--arch", "*"] },
  { args: ["list", "latest-on-disk"] },
  { args: ["list"], env: { ENVTEST_INSTALLED_ONLY: "yes" } },
  { args: ["use", "1.99.0"], env: { ENVTEST_INSTALLED_ONLY: "yes" } },
  { args: ["use", "--use-env"], env: { KUBEBUILDER_ASSETS: "/elsewhere/1.20.3-linux-amd64" } },
  { args: ["use", "-p", "env"], env: { ENVTEST_USE_ENV: "1", KUBEBUILDER_ASSETS: "/else'where/1.20.3-linux-amd64" } },
  { args: ["use", "-i", "--use-env"], env: { KUBEBUILDER_ASSETS: "ASSETS" } },
  { args: ["use", "-i", "--use-env"], env: { KUBEBUILDER_ASSETS: "/elsewhere" } },
  { args: ["use", "-i"], env: { KUBEBUILDER_ASSETS: "ASSETS" } },
  // No network, no index.
  { args: ["list", "--index", "http://127.0.0.1:1/index.yaml"] },
  { args: ["use", "1.31.0", "--index", "http://127.0.0.1:1/index.yaml"] },
  { args: ["use", "1.26.0", "--index", "http://127.0.0.1:1/index.yaml"] },
  { args: ["list", "--index", "SERVER/none"] },
  { args: ["list", "--index", "SERVER/broken.yaml"] },
  { args: ["list", "--index", "SERVER/empty.yaml", "-v", "error"] },
  // Invalid usage.
  { args: ["use", "newest"] },
  { args: ["use", ">1.31"] },
  { args: ["use", "1.31.0", "1.31.2"] },
  { args: ["use", "--print", "json"] },
  { args: ["use", "--verify=perhaps"] },
  { args: ["use", "--nothing"] },
  { args: ["use", "-x"] },
  { args: ["use", "-v", "loud"] },
  { args: ["use", "--index"] },
  { args: ["install"] },
  { args: ["cleanup", "1.27.2"] },
  { args: ["cleanup", "1.27.2", "--arch", "arm64"] },
  { args: ["cleanup", "<1.30"] },
  { args: ["cleanup", "--arch", "*", "~1.30.0"] },
  { args: ["cleanup", "--force", "-i"] },
  { args: ["cleanup", "1.31"] },
  { args: ["cleanup"] },
  { args: ["list", "-i", "--os=*", "--arch=*"] },
];

describe.skipIf(!isBuilt || process.platform === "win32")("the commands of setup-envtest", () => {
  let folder: string;
  let server: ReleaseServer;
  let archives: Readonly<Record<NonNullable<Case["input"]>, Buffer>>;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-store-"));
    server = await startReleaseServer({ "broken.yaml": "releases: [", "empty.yaml": "releases: {}\n" });
    const good = await archive({ "controller-tools/envtest/kube-apiserver": "x".repeat(100_000), "some/kubectl": "k" });
    archives = {
      good,
      damaged: Buffer.concat([good.subarray(0, 60), Buffer.alloc(40, 7), good.subarray(100)]),
      cut: good.subarray(0, good.length / 2),
      escaping: await archive({ "../../../../escaped": "x", "/etc/kube-apiserver": "y", "a/../../etcd": "z" }),
      "no archive": Buffer.from("<html>"),
    };
    const assets = path.join(folder, "assets");
    mkdirSync(assets);
    for (const name of ["kube-apiserver", "etcd", "kubectl"]) mkdirSync(path.join(assets, name));
  });
  afterAll(async () => {
    await server.close();
    removeStore(folder);
  });

  test.each([
    { title: "a given store", isGiven: true, cases: CASES },
    { title: "the default store, with 'quotes'", isGiven: false, cases: CASES.filter((_, index) => index % 4 === 1) },
  ])(
    "print the same, end alike, and leave the same files in $title",
    { timeout: 240_000 },
    async ({ title, isGiven, cases }) => {
      const root = path.join(folder, title);
      const flags = isGiven ? ["--bin-dir", root] : [];
      mkdirSync(root);
      for (const each of cases) {
        const args = ["--os", "linux", "--arch", "amd64", "--index", server.indexUrl, ...flags, ...each.args].map(
          (word) => word.replace("SERVER", server.url),
        );
        const assets = each.env?.["KUBEBUILDER_ASSETS"]?.replace(/^ASSETS$/u, path.join(folder, "assets"));
        const env = { HOME: root, ...each.env, ...(assets === undefined ? {} : { KUBEBUILDER_ASSETS: assets }) };
        const input = each.input === undefined ? Buffer.alloc(0) : archives[each.input];
        const saved = path.join(folder, "saved");
        cpSync(root, saved, { recursive: true });
        const theirs = { ...(await runReference(args, env, input)), store: treeOf(root) };
        removeStore(root);
        cpSync(saved, root, { recursive: true });
        const ours = { ...(await runOurs(args, env, input)), store: treeOf(root) };
        removeStore(saved);
        expect({ args: each.args, ...ours }).toEqual({ args: each.args, ...theirs });
      }
    },
  );

  test("a failed download keeps the binaries of the store, which setup-envtest removes", async () => {
    const root = path.join(folder, "kept");
    const args = ["--os", "linux", "--arch", "amd64", "--index", server.indexUrl, "--bin-dir", root];
    const env = { HOME: folder };
    expect((await runOurs([...args, "sideload", "1.29.0"], env, archives.good)).status).toBe(0);
    const before = treeOf(root);
    expect((await runOurs([...args, "use", "1.29.0", "--force"], env, Buffer.alloc(0))).status).toBe(2);
    expect(treeOf(root)).toEqual(before);
    expect((await runReference([...args, "use", "1.29.0", "--force"], env, Buffer.alloc(0))).status).toBe(2);
    expect(treeOf(root)).toEqual([]);
  });

  test("stand-ins that are sideloaded are binaries for setup-envtest", async () => {
    const root = path.join(folder, "stand-ins");
    const env = { HOME: folder };
    const words = ["--bin-dir", root];
    const { status, out } = await runOurs([...words, "sideload", "1.36.9", "--stand-ins", "-p", "path"], env);
    expect(status).toBe(0);
    expect(await runReference([...words, "use", "1.36.x", "-i", "-p", "path"], env)).toEqual({ status: 0, out });
    const program = spawnSync(path.join(out, "kube-apiserver"), ["--version"], { encoding: "utf8" });
    expect(program.stdout).toMatch(/^Kubernetes v1\.36\.\d+\+embedded/u);
    expect(readdirSync(out).toSorted()).toEqual(["etcd", "kube-apiserver", "kubectl"]);
  });
});

describe("envtest", () => {
  let folder: string;
  let server: ReleaseServer;
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-store-"));
    server = await startReleaseServer();
    onTestFinished(async () => {
      await server.close();
      removeStore(folder);
    });
  });
  const run = async (...args: readonly string[]) =>
    await runWithErrors(
      ["--os", "linux", "--arch", "amd64", "--index", server.indexUrl, "--bin-dir", folder, ...args],
      {},
    );

  test("prints JSON", async () => {
    const directory = path.join(folder, "k8s", "1.31.2-linux-amd64");
    const release = { version: "1.31.2", os: "linux", arch: "amd64" };
    const used = await run("use", "1.31.2", "--output", "json");
    expect(JSON.parse(used.out)).toEqual({ ...release, directory, sha512: expect.stringMatching(/^[0-9a-f]{128}$/u) });
    expect(JSON.parse((await run("list", "1.31", "--output=json")).out)).toMatchObject({
      binaries: [
        { ...release, directory, state: "installed" },
        { ...release, state: "available" },
        { ...release, version: "1.31.0", state: "available" },
      ],
    });
    expect(JSON.parse((await run("cleanup", "--output=json")).out)).toEqual({ removed: [{ ...release, directory }] });
  });

  test.each([
    [["use", "1.30.0"], /its SHA-512 is [0-9a-f]{128}, but the index has/u],
    [["use", "1.29.0"], /cannot unpack the archive of binaries: incorrect header check\nhint: use a complete/u],
    [["use", "1.99"], /cannot find binaries of version 1\.99 for linux\/amd64 in http:/u],
    [["use", "-i"], /cannot find binaries of version latest for linux\/amd64 in \S+k8s\nhint: allow the download/u],
    [["use", "newest"], /cannot read newest as a version\nhint: use a form/u],
    [["use", "-p", "json"], /invalid value "json" for flag -p\nhint: use overview, path, or env/u],
    [["use", "--forse"], /unknown flag --forse\nhint: did you mean --force\?/u],
    [["lists"], /unknown command "lists"\nhint: did you mean list\?/u],
    [["-i"], /the command is missing\nhint: run `envtest --help`/u],
    [["use", "-i", "--force"], /cannot use --force without downloads\nhint: remove --force/u],
    [["sideload", "1.36.0", "--stand-ins", "--os", "plan9"], /cannot sideload stand-ins for plan9\/amd64/u],
    [["sideload", "1.20.0", "--stand-ins", ...platformFlags()], /1\.20/u],
    [["completion", "tcsh"], /completion needs the name of one shell\nhint: use bash, zsh, or fish/u],
    [
      ["list", "--index", "http://127.0.0.1:1/"],
      /cannot download http:\/\/127\.0\.0\.1:1\/: [\s\S]*hint: without a network/u,
    ],
  ])("%j fails with the reason", async (args, message) => {
    const { status, error } = await run(...args);
    expect(error).toMatch(message);
    expect(status).toBe(args.includes("newest") ? 1 : 2);
  });

  test("an archive without kube-apiserver is refused, and leaves nothing behind", async () => {
    const input = await archive({ "bin/kubectl": "k" });
    const args = ["--bin-dir", folder, "sideload", "1.31.2"];
    const { status, error } = await runWithErrors(args, {}, input);
    expect(error).toContain("the archive has no kube-apiserver");
    expect(status).toBe(2);
    expect(treeOf(folder)).toEqual([]);
  });

  test("reports downloads at the level info", async () => {
    expect((await run("use", "1.31.2", "-v", "info")).error).toBe(
      `downloading ${server.indexUrl}\ndownloading ${server.url}/envtest-v1.31.2-linux-amd64.tar.gz\n`,
    );
  });

  test("completes commands and flags", async () => {
    const script = (await run("completion", "bash")).out;
    expect(script).toMatch(/^complete -o default -W "setup use list .*--installed-only.*" envtest\n$/u);
    expect(spawnSync("bash", ["-n"], { input: script, encoding: "utf8" }).stderr).toBe("");
    expect((await run("completion", "fish")).out).toContain(
      "complete -c envtest -s i -l installed-only -d 'use the store",
    );
    expect((await run("completion", "zsh")).out).toMatch(/^#compdef envtest\n/u);
  });

  test("prints help and the version", async () => {
    expect((await run("use", "--help")).out).toContain("envtest sideload <version> [flags] <archive.tar.gz");
    expect((await run("version")).out).toBe("envtest version: 0.0.1\n");
  });
});

function platformFlags(): readonly string[] {
  return ["--os", process.platform, "--arch", process.arch === "x64" ? "amd64" : process.arch];
}

async function runReference(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: Buffer = Buffer.alloc(0),
): Promise<Omit<Outcome, "store">> {
  const child = spawn(REFERENCE, args, { env, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const out = await Readable.from(child.stdout).toArray();
  const status = await new Promise<number>((resolve) => {
    if (child.exitCode === null) child.once("exit", (code) => resolve(code ?? -1));
    else resolve(child.exitCode);
  });
  return { status, out: Buffer.concat(out as Buffer[]).toString() };
}

async function runOurs(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input?: Buffer,
): Promise<Omit<Outcome, "store">> {
  const { status, out } = await runWithErrors(args, env, input);
  return { status, out };
}

async function runWithErrors(args: readonly string[], env: Readonly<Record<string, string>>, input?: Buffer) {
  let [out, error] = ["", ""];
  const status = await runProgram(args, {
    program: "/package/envtest.js",
    version: "0.0.1",
    env,
    readInput: () => Readable.from(input === undefined ? [] : [input]),
    writeOut: (text) => (out += text),
    writeError: (text) => (error += text),
  });
  return { status, out, error };
}

/** Returns the releases of a store and their files, with modes and lengths. */
function treeOf(folder: string): readonly string[] {
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => /k8s[\\/]/u.test(name))
    .toSorted()
    .map((name) => {
      const file = statSync(path.join(folder, name));
      return `${name} ${(file.mode & 0o777).toString(8)} ${file.isDirectory() ? "" : String(file.size)}`;
    });
}

function removeStore(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const file = path.join(folder, name);
    if (lstatSync(file).isDirectory()) chmodSync(file, 0o755);
  }
  rmSync(folder, { recursive: true, force: true });
}
