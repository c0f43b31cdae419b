import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, expect, it } from "vitest";

import { refusal, watchOperations } from "../../../../test/support/faulty-file-system.ts";
import { createDiskHost } from "../../src/loader/source-host.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "source-host-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("reads texts without a byte order mark", () => {
  const file = path.join(folder, "a.ts");
  writeFileSync(file, "\uFEFFexport {};");
  expect(createDiskHost().readFile(file)).toBe("export {};");
});

it("answers what is missing instead of failing", () => {
  const host = createDiskHost();
  const missing = path.join(folder, "missing");
  expect([host.readFile(missing), host.listDirectory(missing), host.kindOf(missing)]).toEqual([
    undefined,
    undefined,
    "missing",
  ]);
});

it("does not take a disk with a fault for one that has nothing there", async () => {
  const host = createDiskHost();
  const file = path.join(folder, "faulty.ts");
  writeFileSync(file, "export {};");
  const failing = async (read: () => unknown): Promise<unknown> =>
    watchOperations(
      folder,
      (operation) => {
        throw refusal("EIO", operation);
      },
      async () => read(),
    );
  await expect(failing(() => host.readFile(file))).rejects.toMatchObject({ code: "EIO", path: file });
  await expect(failing(() => host.listDirectory(folder))).rejects.toMatchObject({ code: "EIO", path: folder });
  await expect(failing(() => host.kindOf(file))).rejects.toMatchObject({ code: "EIO", path: file });
});

it("lists links as neither files nor folders, so that cycles of links end", () => {
  symlinkSync(folder, path.join(folder, "circle"));
  expect(
    createDiskHost()
      .listDirectory(folder)
      ?.find((entry) => entry.name === "circle")?.kind,
  ).toBe("other");
});

it("takes a pipe for no file, since reading one may never end", ({ skip }) => {
  const pipe = path.join(folder, "pipe.ts");
  skip(spawnSync("mkfifo", [pipe]).status !== 0, "there is no mkfifo");
  expect(createDiskHost().kindOf(pipe)).toBe("missing");
});
