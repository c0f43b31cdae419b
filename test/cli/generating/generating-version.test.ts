import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it, vi } from "vitest";

import { generatingVersion } from "../../../src/cli/generating/generating-version.ts";
import { createDiskReader } from "../../../src/machinery/disk.ts";
import { FileTree } from "../../../src/machinery/file-tree.ts";
import { CREATE_API, INIT, runCommand, runCommands } from "../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../support/temporary-folder.ts";

const project = (version: string): string =>
  `layout:\n- ts.kubescaffold.dev/v1\nplugins:\n  base.ts.kubescaffold.dev/v1:\n    kubernetesVersion: "${version}"\nversion: "3"\ndomain: x.io\nprojectName: x\n`;

function folderWith(text: string | undefined): { readonly root: string; readonly tree: FileTree } {
  const root = temporaryFolder();
  if (text !== undefined) writeFileSync(path.join(root, "PROJECT"), text);
  return { root, tree: new FileTree(createDiskReader(root)) };
}

describe("the version of Kubernetes of generators", () => {
  it("is that of the flag, or else PROJECT, and never that of the server which tests run on", () => {
    const folder = folderWith(project("1.34"));
    vi.stubEnv("KUBESCAFFOLD_KUBERNETES_VERSION", "1.37");
    expect(generatingVersion({ ...folder, flag: "1.36" })).toBe("1.36");
    expect(generatingVersion({ ...folder })).toBe("1.34");
    vi.unstubAllEnvs();
  });

  it("is that of a PROJECT file above, and of a planned one", () => {
    const { root, tree } = folderWith(project("1.36"));
    const below = path.join(root, "api/v1");
    mkdirSync(below, { recursive: true });
    expect(generatingVersion({ root: below, tree: new FileTree(createDiskReader(below)) })).toBe("1.36");
    tree.create("PROJECT", project("1.34"), { ifExists: "overwrite" });
    expect(generatingVersion({ root, tree })).toBe("1.34");
  });

  it.each([
    ["1.37", "without a project", undefined],
    ["1.35", "in a project without a version", "layout:\n- ts.kubescaffold.dev/v1\nversion: '3'\n"],
    ["1.37", "in another program's project", "layout:\n- go.kubebuilder.io/v4\nkubernetesVersion: '1.2'\n"],
  ])("is %s %s", (minor, _, text) => {
    expect(generatingVersion({ ...folderWith(text) })).toBe(minor);
  });

  it("is an error if it is not supported", () => {
    expect(() => generatingVersion({ ...folderWith(project("1.20")) })).toThrow(
      expect.objectContaining({
        code: "PROJECT_INVALID",
        message: expect.stringContaining('kubernetesVersion "1.20"'),
      }),
    );
  });
});

it("manifests are for the version of the project, and --kubernetes overrides it", async () => {
  const root = temporaryFolder();
  await runCommands(root, `${INIT} --kubernetes 1.36`, CREATE_API);
  const types = path.join(root, "api/v1/guestbook_types.ts");
  const source = Object.entries(readFiles(root)).find(([file]) => file === "api/v1/guestbook_types.ts")?.[1] ?? "";
  writeFileSync(
    types,
    source
      .replace(/^import/mu, 'import type { PodSpec } from "@kubescaffold/k8s/core/v1";\nimport')
      .replace(/Spec \{\n/u, "Spec {\n  template?: PodSpec;\n"),
  );
  const generate = async (flags: string): Promise<string> => {
    expect(await runCommand(root, ["manifests", flags].join(" ").trim())).toMatchObject({ status: 0, stderr: "" });
    return Object.entries(readFiles(root)).find(([file]) => file.startsWith("config/crd/bases/"))?.[1] ?? "";
  };
  expect(await generate("")).toContain("schedulingGroup:");
  const older = await generate("--kubernetes=1.35");
  expect(older).not.toContain("schedulingGroup:");
  expect(older).toContain("workloadRef:");
  expect(await generate("")).toContain("schedulingGroup:");
});
