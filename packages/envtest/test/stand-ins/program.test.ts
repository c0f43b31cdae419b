import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

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
