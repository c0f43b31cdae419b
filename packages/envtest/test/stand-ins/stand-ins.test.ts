import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { type StandInName, standInScripts } from "../../src/stand-ins/scripts.ts";
import { writeStandIns } from "../../src/stand-ins/write-stand-ins.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "kubescaffold stand-ins' "));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function executable(name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

// A Node.js that prints its version, or the words that it is started with.
function fakeNode(version: string): string {
  return executable("node", `#!/bin/sh\n[ "$1" = --version ] && { echo ${version}; exit 0; }\necho "started $*"\n`);
}

const program = (): string => path.join(folder, "program.js");

interface Facts {
  readonly node?: string;
  readonly program?: string;
}

async function runStandIn(name: StandInName, args: readonly string[], facts: Facts = {}, searched = "/usr/bin:/bin") {
  const scripts = standInScripts({
    node: facts.node ?? fakeNode("v20.19.0"),
    program: facts.program ?? executable("program.js", ""),
    minor: "1.35",
    version: "Kubernetes v1.35.4+embedded (not kube-apiserver)",
  });
  const directory = await writeStandIns(scripts, { directory: path.join(folder, "assets") });
  const { status, stdout, stderr } = spawnSync(path.join(directory, name), args, {
    encoding: "utf8",
    env: { PATH: searched },
  });
  return { status, stdout, stderr };
}

describe.skipIf(process.platform === "win32")("stand-ins", () => {
  it("are executable files in a folder that their contents name", async () => {
    const write = async (version: string): Promise<string> =>
      writeStandIns(standInScripts({ node: "/node", program: "/program", minor: "1.35", version }), {
        env: { XDG_CACHE_HOME: folder },
      });
    const [first, again, other] = [await write("1"), await write("1"), await write("2")];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(readdirSync(first).toSorted()).toEqual(["etcd", "kube-apiserver", "kubectl"]);
    for (const name of readdirSync(first)) expect(statSync(path.join(first, name)).mode & 0o111).toBe(0o111);
  });

  it("run Node.js with the program and all arguments", async () => {
    expect(await runStandIn("kube-apiserver", ["--secure-port=1", "--cert-dir=/a b"])).toEqual({
      status: 0,
      stdout: `started --max-semi-space-size=8 ${program()} kube-apiserver --kubernetes=1.35 --secure-port=1 --cert-dir=/a b\n`,
      stderr: "",
    });
    expect((await runStandIn("etcd", ["--data-dir=x"])).stdout).toBe(`started ${program()} etcd --data-dir=x\n`);
  });

  it.each(["kube-apiserver", "etcd"] as const)("answer --help and --version of %s without Node.js", async (name) => {
    const facts = { node: "/nonexistent", program: "/nonexistent" };
    const help = await runStandIn(name, ["--help"], facts);
    expect(help.status).toBe(0);
    // The expression with which envtest looks for a flag.
    const has = (flag: string): boolean => new RegExp(`^\\s*--${flag}\\b`, "mu").test(help.stdout);
    expect(has(name === "etcd" ? "unsafe-no-fsync" : "service-account-issuer")).toBe(true);
    expect(has("insecure-port")).toBe(false);
    expect((await runStandIn(name, ["--version"], facts)).stdout).toMatch(/not kube-apiserver|only the health check/u);
  });

  it("fail with one sentence if Node.js or the package is missing, or Node.js is too old", async () => {
    const missing = await runStandIn("kube-apiserver", [], { node: "/nonexistent" }, "/nonexistent");
    expect(missing.status).toBe(1);
    expect(missing.stderr).toBe("kube-apiserver: cannot find Node.js: install version 20.19 or later\n");
    const removed = await runStandIn("kube-apiserver", [], { program: "/gone/envtest.js" });
    expect(removed.stderr).toBe(
      "kube-apiserver: cannot find /gone/envtest.js: install @kubescaffold/envtest, and run its command setup again\n",
    );
    for (const version of ["v18.20.0", "v20.18.1"]) {
      const old = await runStandIn("etcd", [], { node: fakeNode(version) });
      expect(old.stderr).toBe(
        `etcd: Node.js ${version.slice(1)} is too old: install version 20.19 or later, and run the command setup again\n`,
      );
    }
    expect((await runStandIn("etcd", [], { node: fakeNode("v22.1.0") })).status).toBe(0);
  });

  it("find another Node.js on the PATH if the one of the setup was removed", async () => {
    fakeNode("v24.0.0");
    expect((await runStandIn("etcd", ["x"], { node: "/nonexistent" }, `${folder}:/usr/bin:/bin`)).stdout).toBe(
      `started ${program()} etcd x\n`,
    );
  });

  it("run the kubectl of the PATH, and never another stand-in for it", async () => {
    executable("bin/kubectl", '#!/bin/sh\necho "real $*"\n');
    const other = await writeStandIns(standInScripts({ node: "", program: "", minor: "1.35", version: "" }), {
      directory: path.join(folder, "others"),
    });
    const searched = `${path.join(folder, "assets")}:${other}:${path.join(folder, "bin")}:/usr/bin:/bin`;
    expect((await runStandIn("kubectl", ["get", "pods"], {}, searched)).stdout).toBe("real get pods\n");
    const missing = await runStandIn("kubectl", ["get"], {}, `${other}:${path.join(folder, "tools")}`);
    expect(missing.status).toBe(1);
  });
});

describe("writing stand-ins", () => {
  it("fails on Windows, and for a folder that cannot be written", async () => {
    const scripts = standInScripts({ node: "", program: "", minor: "1.35", version: "" });
    await expect(writeStandIns(scripts, { platform: "win32" })).rejects.toMatchObject({ code: "ENVTEST_STAND_IN" });
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    await expect(writeStandIns(scripts, { directory: path.join(file, "x") })).rejects.toThrow(
      "cannot write stand-ins into",
    );
  });
});
