import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it, vi } from "vitest";

import { projectFolder } from "../../../src/cli/session/project-folder.ts";
import { CREATE_API, INIT, runCommand, runCommands } from "../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../support/temporary-folder.ts";

describe("a command in a subfolder of a project", () => {
  it("works in the project, and prints files relative to the subfolder", async () => {
    const { inside } = await project();
    const { status, stdout, stderr } = await runCommand(
      inside,
      "create api --group webapp --version v1 --kind Page --make=false",
    );
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(stdout).toContain("created page_types.ts\n");
    expect(stdout).toContain("created ../../internal/controller/page_controller.ts\n");
    expect(stdout).toContain("changed ../../PROJECT\n");
    expect(readdirSync(inside)).not.toContain("PROJECT");
  });

  it("prints the places of errors relative to the subfolder", async () => {
    const { root, inside } = await project();
    const types = path.join(inside, "guestbook_types.ts");
    const before = readFiles(root)["api/v1/guestbook_types.ts"] ?? "";
    writeFileSync(
      types,
      before.replace(
        "export interface GuestbookSpec {",
        "export interface GuestbookSpec {\n  /** +kubebuilder:validation:Minimum=one */\n  size?: int32;\n",
      ),
    );
    const { status, stderr } = await runCommand(path.join(root, "config"), "manifests");
    writeFileSync(types, before);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^\.\.\/api\/v1\/guestbook_types\.ts:\d+:\d+ - error /mu);
  });

  it("reads files that flags and arguments name relative to the subfolder", async () => {
    const { root, inside } = await project();
    writeFileSync(path.join(inside, "header.txt"), "// Of the subfolder\n");
    const edited = await runCommand(inside, "edit --license-file header.txt");
    expect(edited.stderr).toBe("");
    expect(readFiles(root)["hack/boilerplate.ts.txt"]).toContain("Of the subfolder");
    writeFileSync(path.join(inside, "crd.yaml"), "kind: ConfigMap\napiVersion: v1\n");
    const imported = await runCommand(inside, "import crd crd.yaml");
    expect(imported.stderr).toContain("there is no CustomResourceDefinition in it");
    const missing = await runCommand(inside, "import crd nowhere.yaml");
    expect(missing.stderr).toContain("no such file");
  });
});

describe("the folder of a project", () => {
  it("is the nearest one upward with a PROJECT file, or the folder itself", () => {
    const top = temporaryFolder();
    const nested = path.join(top, "a/b/c");
    mkdirSync(nested, { recursive: true });
    expect(projectFolder(nested)).toBe(nested);
    writeFileSync(path.join(top, "PROJECT"), "");
    expect(projectFolder(nested)).toBe(top);
    writeFileSync(path.join(top, "a/PROJECT"), "");
    expect(projectFolder(nested)).toBe(path.join(top, "a"));
    expect(projectFolder(top)).toBe(top);
  });

  it("is not one whose PROJECT is a folder", () => {
    const top = temporaryFolder();
    const nested = path.join(top, "a");
    mkdirSync(nested);
    mkdirSync(path.join(top, "PROJECT"));
    expect(projectFolder(nested)).toBe(nested);
  });

  it("is not one that belongs to another user", () => {
    const top = temporaryFolder();
    const nested = path.join(top, "a");
    mkdirSync(nested);
    writeFileSync(path.join(top, "PROJECT"), "");
    const user = vi.spyOn(process, "getuid").mockReturnValue(12_345);
    const found = projectFolder(nested);
    user.mockRestore();
    expect(found).toBe(nested);
  });
});

async function project(): Promise<{ readonly root: string; readonly inside: string }> {
  const root = temporaryFolder();
  await runCommands(root, INIT, CREATE_API);
  return { root, inside: path.join(root, "api/v1") };
}
