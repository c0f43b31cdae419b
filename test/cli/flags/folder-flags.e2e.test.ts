import { symlinkSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { inputFolder, outputFolder, requirePlaceForFile } from "../../../src/cli/flags/folder-flags.ts";
import { INIT, CREATE_API, runCommand, runCommands } from "../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

function surroundings(): string {
  const root = temporaryFolder({ "file.txt": "x", "folder/inner.txt": "x" });
  symlinkSync("nowhere", path.join(root, "dangling"));
  symlinkSync("folder", path.join(root, "link"));
  symlinkSync("loop", path.join(root, "loop"));
  return root;
}

describe("a folder that a flag names", () => {
  it.each(["new", "new/below", "folder", "folder/new", "link", "link/new", "."])("may be written to at %s", (name) => {
    const root = surroundings();
    expect(outputFolder(root, name)).toBe(path.resolve(root, name));
  });

  it.each([
    ["file.txt", "SCAFFOLD_NOT_A_FOLDER", "cannot use file.txt as a folder: it is a file"],
    ["./file.txt/new", "SCAFFOLD_NOT_A_FOLDER", "cannot use file.txt as a folder: it is a file"],
    ["dangling", "SCAFFOLD_DANGLING_LINK", "cannot use dangling: it is a dangling symbolic link"],
    ["dangling/new", "SCAFFOLD_DANGLING_LINK", "cannot use dangling: it is a dangling symbolic link"],
    ["loop", "SCAFFOLD_DANGLING_LINK", "cannot use loop: it is a dangling symbolic link"],
  ])("is refused at %s before anything is done", (name, code, message) => {
    const root = surroundings();
    expect(() => outputFolder(root, name)).toThrow(expect.objectContaining({ code, message }));
  });

  it.each([
    ["nowhere", "cannot read nowhere: no such file or folder"],
    ["file.txt", "cannot read file.txt: it is not a folder"],
    ["file.txt/x", "cannot read file.txt/x: no such file or folder"],
    ["dangling", "cannot read dangling: it is a dangling symbolic link"],
  ])("is to be read, and is not at %s", (name, message) => {
    const root = surroundings();
    expect(() => inputFolder(root, name)).toThrow(expect.objectContaining({ code: "CLI_INPUT", message }));
    expect(inputFolder(root, "link")).toBe(path.join(root, "link"));
  });

  it.each([
    ["folder", "cannot write folder: it is a folder"],
    ["file.txt/x.tar", "cannot use file.txt as a folder: it is a file"],
  ])("is none for a file: %s", (name, message) => {
    const root = surroundings();
    expect(() => requirePlaceForFile(root, name)).toThrow(expect.objectContaining({ message }));
    expect(() => requirePlaceForFile(root, "new/x.tar")).not.toThrow();
  });
});

const CRD = "config/crd/bases/webapp.demo_guestbooks.yaml";
const GO_PROJECT = 'domain: demo\nlayout:\n- go.kubebuilder.io/v4\nprojectName: g\nrepo: example.com/g\nversion: "3"\n';

// The file system of Linux for processes, where Node's own recursive call retries forever.
const NEVER_CREATED: readonly (readonly [string, string])[] =
  process.platform === "linux"
    ? [
        [
          "alpha generate --output-dir /proc/made/here",
          "cannot create the folder /proc/made/here: the file system creates no folders there",
        ],
        ["import project ../beside --output-dir /proc/made", "cannot create the folder /proc/made: the file system"],
      ]
    : [];

describe("a command whose flag names what cannot be used", () => {
  it.each<readonly [string, string]>([
    [`import crd ${CRD} --output-dir Makefile`, "cannot use Makefile as a folder"],
    [`import crd ${CRD} --output-dir Makefile/x`, "cannot use Makefile as a folder"],
    [`import crd ${CRD} --output-dir ../beside/PROJECT`, "cannot use ../beside/PROJECT as a folder"],
    [`import crd ${CRD} --output-dir dangling`, "it is a dangling symbolic link"],
    [`import crd ${CRD} --output-dir=`, "flag --output-dir is present but empty"],
    ["import crd Makefile/x", "cannot read Makefile/x: no such file or folder"],
    ["import crd dangling", "cannot read dangling: it is a dangling symbolic link"],
    ["import project ../beside --output-dir Makefile", "cannot use Makefile as a folder"],
    ["import project ../beside --output-dir Makefile/x", "cannot use Makefile as a folder"],
    ["import project ../beside --output-dir dangling/x", "it is a dangling symbolic link"],
    ["import project nowhere", "cannot read nowhere: no such file or folder"],
    ["alpha generate --output-dir Makefile", "cannot use Makefile as a folder"],
    ["alpha generate --output-dir Makefile/x", "cannot use Makefile as a folder"],
    [`alpha generate --output-dir ${"d".repeat(300)}`, "the name is too long (ENAMETOOLONG)"],
    ...NEVER_CREATED,
    ["alpha generate --output-dir dangling", "it is a dangling symbolic link"],
    ["alpha generate --input-dir Makefile", "cannot read Makefile: it is not a folder"],
    ["alpha generate --input-dir nowhere", "cannot read nowhere: no such file or folder"],
    ["gen crd paths=./... output:dir=Makefile", "cannot use Makefile as a folder"],
    ["gen crd paths=./... output:dir=dangling/x", "cannot use dangling: it is a dangling symbolic link"],
    ["image --build=false --tarball config", "cannot write config: it is a folder"],
    ["image --build=false --tarball Makefile/x", "cannot use Makefile as a folder"],
    ["image --build=false --sbom-path config", "cannot write config: it is a folder"],
    ["image --build=false --oci-layout-path Makefile/x", "cannot use Makefile as a folder"],
    ["image --build=false --oci-layout-path=", "flag --oci-layout-path is present but empty"],
    ["edit --plugins=helm/v2-alpha --output-dir=", "flag --output-dir is present but empty"],
    ["edit --plugins=helm/v2-alpha --output-dir Makefile", "cannot use Makefile as a folder"],
    ["edit --plugins=helm/v2-alpha --output-dir Makefile/x", "cannot use Makefile as a folder"],
    ["edit --plugins=helm/v2-alpha --output-dir dangling", "cannot use dangling: it is a dangling symbolic link"],
    ["edit --plugins=helm/v2-alpha --manifests=", "flag --manifests is present but empty"],
    ["edit --plugins=helm/v2-alpha --manifests=/etc/hosts", "it is not a path relative to the project"],
    ["edit --plugins=helm/v2-alpha --manifests=config", "cannot create a chart from config: it is a folder"],
  ])("%s says so and writes nothing", async (line, message) => {
    const parent = temporaryFolder({ "beside/PROJECT": GO_PROJECT, "project/.keep": "" });
    const root = path.join(parent, "project");
    await runCommands(root, INIT, CREATE_API, "manifests");
    symlinkSync("nowhere", path.join(root, "dangling"));
    const before = readFiles(parent);
    const { status, stderr } = await runCommand(root, line);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) });
    expect(stderr).not.toContain("defect of the program");
    expect(readFiles(parent)).toEqual(before);
  });

  it.each(["import crd ", "import project "])("`%s` with an empty word takes nothing for it", async (line) => {
    const root = temporaryFolder();
    writeFiles(root, { "crd.yaml": "" });
    expect(await runCommand(root, line)).toMatchObject({ status: 1, stderr: expect.stringContaining("[CLI_INPUT]") });
  });
});
