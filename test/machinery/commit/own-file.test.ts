import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { writeOwnFile } from "../../../src/machinery/commit/own-file.ts";
import { readFiles, temporaryFolder } from "../../support/temporary-folder.ts";

describe("a file of a project outside of a commit", () => {
  it("is written with its folders, and no other file is left", async () => {
    const root = temporaryFolder();
    await writeOwnFile({ root, path: "dist/deep/install.yaml", content: "first" });
    await writeOwnFile({ root, path: "dist/deep/install.yaml", content: "second" });
    expect(readFiles(root)).toEqual({ "dist/deep/install.yaml": "second" });
  });

  it("gets its own permissions in place of a file that others can read", async () => {
    const root = temporaryFolder();
    writeFileSync(path.join(root, "kubeconfig"), "old", { mode: 0o644 });
    await writeOwnFile({ root, path: "kubeconfig", content: "secret", mode: 0o600 });
    expect(statSync(path.join(root, "kubeconfig")).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(root, "kubeconfig"), "utf8")).toBe("secret");
  });

  it("may have an absolute path, inside and outside of the project", async () => {
    const root = temporaryFolder();
    const outside = temporaryFolder();
    await writeOwnFile({ root, path: path.join(root, "hack/a.json"), content: "inside" });
    await writeOwnFile({ root, path: path.join(outside, "a.json"), content: "outside" });
    expect([readFiles(root), readFiles(outside)]).toEqual([{ "hack/a.json": "inside" }, { "a.json": "outside" }]);
  });

  it("is named by its path where a file is in the place of its folder", async () => {
    const root = temporaryFolder({ hack: "" });
    await expect(writeOwnFile({ root, path: "hack/a.json", content: "" })).rejects.toMatchObject({
      code: "SCAFFOLD_DISK",
      message: expect.stringMatching(/^cannot write hack\/a\.json: a file is in the place of a folder/u),
    });
    expect(readFiles(root)).toEqual({ hack: "" });
  });

  it.each([
    ["a folder", (root: string, outside: string) => symlinkSync(outside, path.join(root, "dist"))],
    [
      "the file itself",
      (root: string, outside: string) => {
        mkdirSync(path.join(root, "dist"));
        symlinkSync(path.join(outside, "victim"), path.join(root, "dist/victim"));
      },
    ],
  ])("is refused where a link in the place of %s leads out of the project", async (_, plant) => {
    const outside = temporaryFolder({ victim: "mine" });
    const root = temporaryFolder();
    plant(root, outside);
    await expect(writeOwnFile({ root, path: "dist/victim", content: "theirs" })).rejects.toMatchObject({
      code: "SCAFFOLD_SYMBOLIC_LINK",
    });
    expect(readFiles(outside)).toEqual({ victim: "mine" });
  });

  it("leaves no draft behind when it cannot be written", async () => {
    const root = temporaryFolder();
    mkdirSync(path.join(root, "dist/install.yaml"), { recursive: true });
    await expect(writeOwnFile({ root, path: "dist/install.yaml", content: "text" })).rejects.toMatchObject({
      hint: expect.stringContaining("the file was not changed"),
    });
    expect(readdirSync(path.join(root, "dist"))).toEqual(["install.yaml"]);
  });
});
