import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";

import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";

import { freePorts } from "../../src/control-plane/managed-process.ts";
import { startEtcdStandIn } from "../../src/stand-ins/etcd.ts";
import { runProgram } from "../../src/stand-ins/program.ts";

async function run(
  ...args: readonly string[]
): Promise<{ readonly status: number; readonly out: string; readonly error: string }> {
  let [out, error] = ["", ""];
  const status = await runProgram(args, {
    program: "/package/envtest.js",
    writeOut: (text) => (out += text),
    writeError: (text) => (error += text),
    readInput: () => Readable.from([]),
    version: "0.1.0",
    env: process.env,
  });
  return { status, out, error };
}

describe.skipIf(process.platform === "win32")("envtest setup", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-setup-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("prints the folder in the form that is wanted", async () => {
    const directory = path.join(folder, "assets");
    expect(await run("setup", "-p", "path", "--directory", directory)).toEqual({
      status: 0,
      out: directory,
      error: "",
    });
    expect(existsSync(path.join(directory, "kube-apiserver"))).toBe(true);
    expect((await run("setup", "-p", "env", "--directory", directory)).out).toBe(
      `export KUBEBUILDER_ASSETS='${directory}'\n`,
    );
    expect((await run("setup", "--directory", directory)).out).toContain(`Path: ${directory}\n`);
  });

  it.each([
    [["--kubernetes", "1.36"], "1.36", ""],
    [["--kubernetes=v1.37.2"], "1.37", 'Kubernetes 1.37 is used for --kubernetes "v1.37.2"\n'],
    [["--kubernetes=latest"], "1.37", 'Kubernetes 1.37 is used for --kubernetes "latest"\n'],
  ])("with %s writes stand-ins of %s", async (flags, minor, note) => {
    const directory = path.join(folder, "assets");
    const { status, out, error } = await run("setup", "--directory", directory, ...flags);
    expect({ status, error }).toEqual({ status: 0, error: note });
    expect(out).toMatch(new RegExp(String.raw`^Version: Kubernetes v${minor}\.\d+\+embedded \(`, "u"));
    const server = path.join(directory, "kube-apiserver");
    expect(spawnSync(server, ["--version"], { encoding: "utf8" }).stdout).toContain(`Kubernetes v${minor}.`);
    expect(readFileSync(server, "utf8")).toContain(`kube-apiserver --kubernetes=${minor} "$@"`);
  });

  it("follows the variable, unless a flag is given", async () => {
    vi.stubEnv("KUBESCAFFOLD_KUBERNETES_VERSION", "1.34");
    onTestFinished(() => void vi.unstubAllEnvs());
    const directory = path.join(folder, "assets");
    expect((await run("setup", "--directory", directory)).out).toContain("Kubernetes v1.34.");
    expect((await run("setup", "--directory", directory, "--kubernetes=1.36")).out).toContain("Kubernetes v1.36.");
  });

  it("writes nothing for a version that is not supported", async () => {
    const directory = path.join(folder, "assets");
    expect(await run("setup", "--directory", directory, "--kubernetes=1.33")).toEqual({
      status: 1,
      out: "",
      error:
        'setup: cannot use --kubernetes "1.33": Kubernetes 1.33 is not supported; supported are 1.34, 1.35, 1.36, and 1.37\nhint: use 1.34, 1.35, 1.36, or 1.37\n',
    });
    expect(existsSync(directory)).toBe(false);
  });

  it("refuses other forms, flags, and commands", async () => {
    expect((await run("setup", "-p", "json")).error).toContain('invalid value "json" for flag --print');
    expect((await run("setup", "--nothing")).status).toBe(1);
    expect((await run("install")).error).toContain('unknown command "install"');
    expect((await run("kube-apiserver", "--nothing")).error).toContain("kube-apiserver: unknown flag: --nothing");
  });
});

describe("the stand-in for etcd", () => {
  it("answers the health check at each client URL, and nothing else", async () => {
    const urls = (await freePorts(2)).map((port) => `http://127.0.0.1:${String(port)}`);
    const server = await startEtcdStandIn([
      `--listen-client-urls=${urls.join(",")}`,
      "--data-dir",
      "x",
      "--unsafe-no-fsync",
    ]);
    for (const url of urls) {
      expect(await (await fetch(`${url}/health`)).json()).toEqual({ health: "true", reason: "" });
      expect((await fetch(`${url}/v3/kv/range`)).status).toBe(404);
    }
    await server.stop();
    await expect(fetch(`${urls[0] ?? ""}/health`)).rejects.toThrow("fetch failed");
  });

  it("refuses HTTPS", async () => {
    await expect(startEtcdStandIn(["--listen-client-urls=https://127.0.0.1:1"])).rejects.toThrow("serves only HTTP");
  });
});
