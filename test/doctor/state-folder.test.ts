import { execFileSync } from "node:child_process";

import { describe, expect, it } from "vitest";

import { diagnoseStateFolder } from "../../src/doctor/state-folder.ts";
import { createDiskReader } from "../../src/machinery/disk.ts";
import { FileTree } from "../../src/machinery/file-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const STATE = { ".kubescaffold/dev/kubeconfig": "secret" };

describe("the folder of running commands", () => {
  it("is as it should be where git ignores it", async () => {
    expect(await messagesIn({ ...STATE, ".gitignore": ".kubescaffold/\n" })).toEqual([]);
  });

  it("is reported where git does not ignore it, and --fix adds the line", async () => {
    const root = repository({ ...STATE, ".gitignore": "dist/" });
    const tree = new FileTree(createDiskReader(root));
    const [finding, ...others] = await diagnoseStateFolder(root, tree);
    expect([finding, others]).toMatchObject([{ severity: "note", path: ".gitignore" }, []]);
    finding?.fix?.(tree);
    expect(tree.read(".gitignore")).toBe("dist/\n.kubescaffold/\n");
  });

  it("is reported where git tracks it, even though it is ignored", async () => {
    const root = repository({ ...STATE, ".gitignore": ".kubescaffold/\n" });
    git(root, "add", "--force", ".kubescaffold");
    expect(await diagnoseStateFolder(root, new FileTree(createDiskReader(root)))).toMatchObject([
      { severity: "error", path: ".kubescaffold", hint: expect.stringContaining("git rm -r --cached .kubescaffold") },
    ]);
  });

  it.each([
    [".kubescaffold/\n", 0],
    ["/.kubescaffold\r\n", 0],
    ["dist/\n", 1],
  ])("is looked for in %j where there is no repository", async (text, count) => {
    const root = temporaryFolder({ ".gitignore": text });
    expect(await diagnoseStateFolder(root, new FileTree(createDiskReader(root)))).toHaveLength(count);
  });
});

async function messagesIn(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const root = repository(files);
  const findings = await diagnoseStateFolder(root, new FileTree(createDiskReader(root)));
  return findings.map((each) => each.message);
}

function repository(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder(files);
  git(root, "init", "--quiet");
  return root;
}

function git(root: string, ...words: readonly string[]): void {
  execFileSync("git", words, { cwd: root });
}
