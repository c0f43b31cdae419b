import { describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

const CRD = "config/crd/bases/webapp.demo_guestbooks.yaml";

async function projectWith(generators = ""): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, CREATE_API, "manifests", "generate");
  if (generators !== "") setOptions(root, generators);
  return root;
}

function setOptions(root: string, generators: string): void {
  const project = readFiles(root)["PROJECT"] ?? "";
  const section = "  base.ts.kubescaffold.dev/v1:\n";
  writeFiles(root, { PROJECT: project.replace(section, `${section}    generators:\n${generators}`) });
}

describe("generator options in PROJECT", () => {
  it("apply to manifests, create api, and doctor", async () => {
    const root = await projectWith("      crd:\n        maxDescLen: 0\n");
    expect(readFiles(root)[CRD]).toContain("description:");
    expect((await runCommand(root, "doctor")).stdout).toContain(`${CRD}: the generated file is stale`);
    await runCommands(root, "manifests");
    expect(readFiles(root)[CRD]).not.toContain("description:");
    expect((await runCommand(root, "doctor")).stdout).not.toContain("stale");
    await runCommands(root, "create api --group webapp --version v1 --kind Page --resource --controller=false");
    const files = readFiles(root);
    expect(files["config/crd/bases/webapp.demo_pages.yaml"]).not.toContain("description:");
    expect(files[CRD]).not.toContain("description:");
  });

  it("are overridden by flags for one run", async () => {
    const root = await projectWith("      crd:\n        maxDescLen: 0\n");
    await runCommands(root, "manifests --generator-options crd:maxDescLen=");
    expect(readFiles(root)[CRD]).toContain("description:");
    await runCommands(root, "manifests --generator-options crd:maxDescLen=10,omitToolVersion=true");
    expect(readFiles(root)[CRD]).toContain("description: APIVersion");
    expect(readFiles(root)[CRD]).not.toContain("controller-gen.kubebuilder.io/version");
    await runCommands(root, "manifests");
    expect(readFiles(root)[CRD]).not.toContain("description:");
  });

  it("are set, shown, and removed by edit, which regenerates", async () => {
    const root = await projectWith();
    const before = readFiles(root);
    await runCommands(root, "edit --generator-options crd:maxDescLen=0 --generator-options rbac:fileName=roles.yaml");
    expect(readFiles(root)[CRD]).not.toContain("description:");
    expect((await runCommand(root, "edit --show")).stdout).toContain(
      "generator options  crd:maxDescLen=0 rbac:fileName=roles.yaml\n",
    );
    expect(JSON.parse((await runCommand(root, "edit --show --output json")).stdout)).toMatchObject({
      generators: { crd: { maxDescLen: 0 }, rbac: { fileName: "roles.yaml" } },
    });
    await runCommands(root, "edit --generator-options crd:maxDescLen= --generator-options rbac:fileName=");
    const { "config/rbac/roles.yaml": _roles, ...after } = readFiles(root);
    expect(after).toEqual(before);
  });

  it.each([
    [
      "      crd:\n        maxDescLn: 0\n",
      'the generator crd has no option "maxDescLn"; did you mean maxDescLen?',
      "13:9",
    ],
    ["      crd:\n        maxDescLen: many\n", 'crd:maxDescLen must be an integer, not "many"', "13:9"],
    ["      cdr:\n        maxDescLen: 0\n", 'unknown generator "cdr"; did you mean crd?', "12:7"],
    ["      crd: 5\n", "the options of crd must be a map", "12:7"],
  ])("are rejected with their place: %j", async (generators, message, place) => {
    const root = await projectWith(generators);
    for (const line of [
      "manifests",
      "generate",
      "doctor",
      "create api --group webapp --version v1 --kind B --resource",
    ]) {
      const { status, stderr } = await runCommand(root, line);
      expect([line, status, stderr.split("\n")[0]]).toEqual([
        line,
        1,
        `error: cannot load the configuration: PROJECT:${place}: ${message} [PROJECT_INVALID]`,
      ]);
    }
  });

  it("name their place when a generator rejects a value", async () => {
    const root = await projectWith("      crd:\n        relax:\n        - CRD_NONSENSE\n");
    const { status, stderr } = await runCommand(root, "manifests");
    expect([status, stderr.split("\n")[0]]).toEqual([
      1,
      'PROJECT:13:9 - error CRD_RELAX_UNKNOWN: cannot relax the unknown check "CRD_NONSENSE"',
    ]);
  });

  it.each([
    ["crd:maxDescLen=many", 'expects an integer, found "many"'],
    ["cdr:maxDescLen=0", "unknown generator; did you mean crd?"],
    ["crd:nonsense=", 'the generator crd has no option "nonsense"'],
    ["crd", "no option is specified"],
  ])("are rejected in flags: %s", async (word, message) => {
    const root = await projectWith();
    const { status, stderr } = await runCommand(root, `edit --generator-options ${word}`);
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(stderr).toContain("[CLI_INVALID_FLAG]");
  });
});
