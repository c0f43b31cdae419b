import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { readManifests } from "../../src/install/manifests.ts";

describe("reading manifests", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "kubescaffold-manifests-"));
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  const names = async (...paths: readonly string[]): Promise<unknown> =>
    (await readManifests({ paths, what: "definitions", errorIfPathMissing: true })).map(
      ({ metadata }) => metadata.name,
    );

  test("takes all objects of the folder's own files, by file name, and leaves out what is none", async () => {
    await writeFile(
      path.join(folder, "b.yaml"),
      "kind: A\nmetadata: {name: b1}\n---\n---\nkind: A\nmetadata: {name: b2}\n",
    );
    await writeFile(path.join(folder, "a.json"), '{"kind":"A","metadata":{"name":"a"}}');
    await writeFile(path.join(folder, "kustomization.yml"), "resources: [b.yaml]\n");
    await writeFile(path.join(folder, "list.yml"), "kind: List\nitems:\n- kind: A\n  metadata: {name: item}\n");
    await writeFile(path.join(folder, "notes.txt"), "kind: A\n");
    await mkdir(path.join(folder, "patches"));
    await writeFile(path.join(folder, "patches", "c.yaml"), "kind: A\nmetadata: {name: c}\n");
    expect(await names(folder)).toEqual(["a", "b1", "b2", "item"]);
    expect(await names(path.join(folder, "b.yaml"))).toEqual(["b1", "b2"]);
  });

  test("a missing path is an error, unless it may be missing", async () => {
    const missing = path.join(folder, "none");
    await expect(names(missing)).rejects.toMatchObject({
      code: "ENVTEST_PATH_MISSING",
      message: `cannot read definitions from ${missing}: no such file or folder`,
    });
    expect(await readManifests({ paths: [missing], what: "definitions", errorIfPathMissing: false })).toEqual([]);
  });

  test("a broken file is an error with its name and line", async () => {
    await writeFile(path.join(folder, "broken.yaml"), "a: [\n");
    await expect(names(folder)).rejects.toThrow(/broken\.yaml/u);
  });
});
