import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { diskFailure } from "../../src/binaries/binary-store.ts";
import { setupBinaries, type SetupBinariesOptions } from "../../src/binaries/setup-binaries.ts";
import { type ReleaseServer, startReleaseServer } from "./release-server.ts";

const PLATFORM = { os: "linux", arch: "amd64" };

describe("row 94: setting up binaries from a server", () => {
  let storeDirectory: string;
  let server: ReleaseServer;

  beforeEach(async () => {
    storeDirectory = await mkdtemp(path.join(tmpdir(), "kubescaffold-store-"));
    server = await startReleaseServer();
  });
  afterEach(async () => {
    await server.close();
    await rm(storeDirectory, { recursive: true, force: true });
  });

  const setup = async (options: SetupBinariesOptions = {}): Promise<string> =>
    setupBinaries({ storeDirectory, platform: PLATFORM, indexUrl: server.indexUrl, ...options });

  test("downloads the newest version that fits and unpacks its programs", async () => {
    const folder = await setup({ version: "1.31.x" });
    expect(folder).toBe(path.join(storeDirectory, "k8s", "1.31.2-linux-amd64"));
    expect((await readdir(folder)).sort()).toEqual(["etcd", "kube-apiserver", "kubectl"]);
    expect(await readFile(path.join(folder, "kube-apiserver"), "utf8")).toBe("kube-apiserver 1.31.2");
  });

  test.skipIf(process.platform === "win32")("the programs can be run", async () => {
    const folder = await setup({ version: "1.31.x" });
    expect((await stat(path.join(folder, "etcd"))).mode & 0o111).toBe(0o111);
  });

  test("asks nobody when the store has what fits", async () => {
    const folder = await setup({ version: "1.31.x" });
    const asked = server.requests.length;
    expect(await setup({ version: "1.31" })).toBe(folder);
    expect(await setup({ version: "latest-on-disk" })).toBe(folder);
    expect(await setup({ version: "1.31", installedOnly: true })).toBe(folder);
    expect(server.requests.length).toBe(asked);
  });

  test("asks the index but downloads nothing when the newest is in the store", async () => {
    await setup({ version: "1.31" });
    server.requests.splice(0);
    await setup({ version: "1.31!" });
    expect(server.requests).toEqual(["/index.yaml"]);
  });

  test("downloads again when forced", async () => {
    await setup({ version: "1.31.2" });
    server.requests.splice(0);
    await setup({ version: "1.31.2", force: true });
    expect(server.requests).toEqual(["/index.yaml", "/envtest-v1.31.2-linux-amd64.tar.gz"]);
  });

  test("refuses an archive whose hash is not the index's, and leaves nothing behind", async () => {
    await expect(setup({ version: "1.30.0" })).rejects.toMatchObject({
      code: "ENVTEST_DOWNLOAD",
      message: expect.stringContaining("SHA-512"),
    });
    expect(await readdir(path.join(storeDirectory, "k8s")).catch(() => [])).toEqual([]);
  });

  test("accepts that archive if verification is disabled", async () => {
    expect(await setup({ version: "1.30.0", verify: false })).toContain("1.30.0-linux-amd64");
  });

  test("says which version and platform is not to be had", async () => {
    await expect(setup({ version: "1.99" })).rejects.toMatchObject({
      message: expect.stringContaining("version 1.99 for linux/amd64"),
    });
    await expect(setup({ version: "latest-on-disk" })).rejects.toMatchObject({
      message: expect.stringContaining("latest-on-disk"),
    });
    await expect(setup({ platform: { os: "plan9", arch: "mips" } })).rejects.toMatchObject({
      message: expect.stringContaining("plan9/mips"),
    });
  });

  test("names the address when the server answers with an error, or nobody answers", async () => {
    await expect(setup({ indexUrl: `${server.url}/none` })).rejects.toMatchObject({
      code: "ENVTEST_DOWNLOAD",
      message: expect.stringContaining("404"),
    });
    const fetch = async (): Promise<Response> => Promise.reject(new TypeError("fetch failed"));
    await expect(setup({ fetch })).rejects.toMatchObject({
      message: expect.stringContaining("fetch failed"),
      hint: expect.stringContaining("KUBEBUILDER_ASSETS"),
    });
  });

  test("refuses what is no archive", async () => {
    await expect(setup({ version: "1.29.0" })).rejects.toMatchObject({
      code: "ENVTEST_DOWNLOAD",
      message: expect.stringContaining("unpack"),
    });
  });

  test("never writes outside its folder, whatever the archive says", async () => {
    const folder = await setup({ version: "1.28.0" });
    expect((await readdir(folder)).sort()).toEqual(["escaped", "kube-apiserver"]);
    expect(await readdir(storeDirectory)).toEqual(["k8s"]);
  });

  test.each([
    ["ENOSPC", "the disk is full", "free some space, or use another folder"],
    ["EDQUOT", "the disk is full", "free some space, or use another folder"],
    ["EACCES", "EACCES: no way", "check the permissions, or use another folder"],
  ])("names the reason and the fix when the disk fails with %s", (code, reason, hint) => {
    const cause = Object.assign(new Error(`${code}: no way`), { code });
    expect(diskFailure("write to", "/store", cause)).toMatchObject({
      code: "ENVTEST_DOWNLOAD",
      message: `cannot write to /store: ${reason}`,
      hint,
    });
  });
});
