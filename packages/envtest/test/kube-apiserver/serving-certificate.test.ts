import { mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { servingCertificate } from "../../src/kube-apiserver/serving-certificate.ts";

describe.skipIf(process.platform === "win32")("the key of a new serving certificate", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "kubescaffold-certificates-"));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  async function save(): Promise<string> {
    const flags = { host: "127.0.0.1", directory: folder, certFile: undefined, keyFile: undefined };
    await (await servingCertificate(flags)).save();
    return path.join(folder, "apiserver.key");
  }

  it("is readable only by its owner, even where others could read the file before", async () => {
    await writeFile(path.join(folder, "apiserver.key"), "former", { mode: 0o644 });
    const key = await save();
    expect((await stat(key)).mode & 0o777).toBe(0o600);
    expect(await readFile(key, "utf8")).toContain("PRIVATE KEY");
  });

  it("is not written through a link", async () => {
    const other = path.join(folder, "other");
    await writeFile(other, "former", { mode: 0o644 });
    await symlink(other, path.join(folder, "apiserver.key"));
    expect(await readFile(await save(), "utf8")).toContain("PRIVATE KEY");
    expect(await readFile(other, "utf8")).toBe("former");
  });
});
