import path from "node:path";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import { SINGLE_GROUP } from "../support/go-projects.ts";
import { runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

type Files = Readonly<Record<string, string>>;

const LINE = "import project fleet --output-dir ts --skip-install";

function folderWith(files: Files): string {
  const root = temporaryFolder();
  writeFiles(root, Object.fromEntries(Object.entries(files).map(([file, text]) => [`fleet/${file}`, text])));
  return root;
}

async function projectOf(files: Files, line = LINE): Promise<unknown> {
  const root = folderWith(files);
  await runCommands(root, line);
  return readYaml(readFiles(path.join(root, "ts"))["PROJECT"] ?? "");
}

const { PROJECT: _, ...WITHOUT_PROJECT } = SINGLE_GROUP;
const REPO = "repo: github.com/acme/fleet\n";
const KINDS = { domain: "sea.io", resources: expect.arrayContaining([expect.objectContaining({ kind: "Captain" })]) };

// The CRDs of a project in another folder, beside files that are no manifests.
const ELSEWHERE: Files = {
  ...Object.fromEntries(
    Object.entries(WITHOUT_PROJECT).map(([file, text]) => [file.replace("config/crd/bases/", "deploy/crds/"), text]),
  ),
  "deploy/crds/README.md": "text",
};

describe("import project of", () => {
  it.each<[string, string]>([
    ["version 1, which records no kinds", `version: "1"\ndomain: sea.io\n${REPO}`],
    [
      "version 3 without a layout",
      `version: "3"\ndomain: sea.io\n${REPO}resources:\n- {group: crew, kind: Captain, version: v1}\n`,
    ],
  ])("%s", async (__, project) => {
    expect(await projectOf({ ...SINGLE_GROUP, PROJECT: project })).toMatchObject(KINDS);
  });

  it("a project without a PROJECT file, whose CRDs are in another folder", async () => {
    expect(await projectOf(ELSEWHERE, `${LINE} --crds deploy/crds/`)).toMatchObject({
      resources: expect.arrayContaining([expect.objectContaining({ kind: "Captain" })]),
    });
  });

  it.each([
    ["no folder of CRDs", LINE, "--crds names another folder"],
    ["one without files", `${LINE} --crds deploy/none`, "the Go project has no files in it"],
  ])("%s is refused with the flag that names it", async (__, line, message) => {
    const { status, stderr } = await runCommand(folderWith(ELSEWHERE), line);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) });
  });
});
