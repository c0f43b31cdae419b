import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { KUBERNETES_MINOR } from "@kubescaffold/k8s";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { resolveAsset } from "../../src/control-plane/assets.ts";

describe("finding a program of the control plane", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "kubescaffold-assets-"));
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  const program = async (...segments: readonly string[]): Promise<string> => {
    const file = path.join(folder, ...segments);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, "");
    await chmod(file, 0o755);
    return file;
  };

  test("its own variable comes first", async () => {
    const env = { TEST_ASSET_KUBE_APISERVER: "mine", KUBEBUILDER_ASSETS: folder };
    expect(await resolveAsset("kube-apiserver", { env, directory: folder })).toBe("mine");
  });

  test("then the given directory, then KUBEBUILDER_ASSETS", async () => {
    const given = await program("given", "etcd");
    const assets = await program("assets", "etcd");
    const env = { KUBEBUILDER_ASSETS: path.dirname(assets) };
    expect(await resolveAsset("etcd", { env, directory: path.dirname(given) })).toBe(given);
    expect(await resolveAsset("etcd", { env })).toBe(assets);
  });

  test("then the newest control plane in the cache", async () => {
    await program("kubescaffold", "control-plane", "v1.9.0", "etcd");
    const newest = await program("kubescaffold", "control-plane", "v1.33.4", "etcd");
    await program("kubescaffold", "control-plane", "v1.36.0.building-1", "etcd");
    expect(await resolveAsset("etcd", { env: { XDG_CACHE_HOME: folder } })).toBe(newest);
  });

  test("a control plane of the embedded server's version precedes newer ones", async () => {
    await program("kubescaffold", "control-plane", `v${KUBERNETES_MINOR}.1`, "etcd");
    const embedded = await program("kubescaffold", "control-plane", `v${KUBERNETES_MINOR}.10`, "etcd");
    await program("kubescaffold", "control-plane", "v1.99.0", "etcd");
    const other = await program("kubescaffold", "control-plane", "v1.99.0", "kwok");
    const env = { XDG_CACHE_HOME: folder };
    expect(await resolveAsset("etcd", { env })).toBe(embedded);
    expect(await resolveAsset("kwok", { env })).toBe(other);
  });

  test("a given directory without the program is an error that names it", async () => {
    await expect(resolveAsset("kubectl", { env: {}, directory: folder })).rejects.toMatchObject({
      code: "ENVTEST_ASSET_MISSING",
      message: `cannot find kubectl in ${folder}`,
    });
  });
});
