import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../../support/temporary-folder.ts";

const CREATE = "create kubectl-plugin guestbook";
const DELETE = "delete kubectl-plugin guestbook";
const FOLDER = "cmd/kubectl-guestbook";
const FILES = ["krew.json", "list.ts", "main.ts", "plugin.test.ts", "plugin.ts", "status.ts"].map(
  (file) => `${FOLDER}/${file}`,
);
const BUILD = "hack/build-kubectl-plugin.mjs";

async function projectWith(...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, ...lines);
  return root;
}

describe("create kubectl-plugin", () => {
  it("writes the program, its test, and its build, and records the plugin with the project's kind", async () => {
    const root = await projectWith(CREATE_API);
    const before = readFiles(root);
    const { status, stdout, stderr } = await runCommand(root, CREATE);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const after = readFiles(root);
    const added = Object.keys(after).filter((file) => before[file] === undefined);
    expect(added.toSorted()).toEqual([...FILES, BUILD].toSorted());
    const changed = Object.keys(before).filter((file) => before[file] !== after[file]);
    expect(changed.toSorted()).toEqual(["PROJECT", "package.json"]);
    expect(after["PROJECT"]).toContain("kubectlPlugins:");
    expect(after["PROJECT"]).toContain("kind: Guestbook");
    expect(JSON.parse(after["package.json"] ?? "")).toMatchObject({
      scripts: { "build:kubectl-guestbook": "node hack/build-kubectl-plugin.mjs guestbook" },
    });
    expect(after[`${FOLDER}/list.ts`]).toContain(`from "../../api/v1/guestbook_types.ts";`);
    expect(stdout).toContain("npm run build:kubectl-guestbook");
  });

  it("reads Deployments in a project without a kind, and the named kind among several", async () => {
    const root = await projectWith(CREATE);
    expect(readFiles(root)[`${FOLDER}/list.ts`]).toContain(`import { Deployment } from "@kubescaffold/k8s/apps/v1";`);
    await runCommands(root, CREATE_API, "create api --group webapp --version v1 --kind Visitor --namespaced=false");
    await runCommands(root, "create kubectl-plugin visitors --kind Visitor");
    const list = readFiles(root)["cmd/kubectl-visitors/list.ts"] ?? "";
    expect(list).toContain(`import { Visitor } from "../../api/v1/visitor_types.ts";`);
    expect(list).toContain("isClusterScoped: true");
  });

  it.each([
    ["Guestbook", 'cannot use kubectl plugin name "Guestbook": it is not a name of a command'],
    ["a--b", 'cannot use kubectl plugin name "a--b": it is not a name of a command'],
    ["../../etc", 'cannot use kubectl plugin name "../../etc": it is not a name of a command'],
    ["a".repeat(64), "it is not a name of a command"],
    ["get", 'cannot use kubectl plugin name "get": kubectl runs its own command of this name'],
  ])("rejects the name %s, and writes nothing", async (name, message) => {
    const root = await projectWith();
    const before = readFiles(root);
    const { status, stdout, stderr } = await runCommand(root, `create kubectl-plugin ${name}`);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toContain("[PROJECT_INVALID_NAME]");
    expect(stderr.match(/error:/gu)).toHaveLength(1);
    expect(readFiles(root)).toEqual(before);
  });

  it("rejects a name that is taken, a kind that the project does not have, and files that exist", async () => {
    const root = await projectWith(CREATE_API, CREATE);
    const before = readFiles(root);
    await expect(runCommand(root, CREATE)).resolves.toMatchObject({
      status: 1,
      stderr: expect.stringContaining('cannot create kubectl plugin "guestbook": the project has one with this name'),
    });
    await expect(runCommand(root, "create kubectl-plugin other --kind Visitor")).resolves.toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'cannot create kubectl plugin "other": PROJECT has no resource with kind "Visitor"',
      ),
    });
    expect(readFiles(root)).toEqual(before);
  });

  it("requires one name", async () => {
    const root = await projectWith();
    await expect(runCommand(root, "create kubectl-plugin")).resolves.toMatchObject({
      status: 1,
      stderr: expect.stringContaining("[CLI_MISSING_FLAG]"),
    });
    await expect(runCommand(root, "create kubectl-plugin one two")).resolves.toMatchObject({
      status: 1,
      stderr: expect.stringContaining('unexpected argument "two"'),
    });
  });
});

describe("delete kubectl-plugin", () => {
  it("is the inverse of create kubectl-plugin", async () => {
    const root = await projectWith(CREATE_API);
    const before = readFiles(root);
    await runCommands(root, CREATE, DELETE);
    expect(readFiles(root)).toEqual(before);
  });

  it("keeps the build of another plugin", async () => {
    const root = await projectWith(CREATE_API, CREATE);
    const before = readFiles(root);
    await runCommands(root, "create kubectl-plugin gb-admin", "delete kubectl-plugin gb-admin");
    expect(readFiles(root)).toEqual(before);
  });

  it("deletes changed files only with --force, and reports what is left", async () => {
    const root = await projectWith(CREATE_API, CREATE);
    writeFileSync(path.join(root, FOLDER, "list.ts"), "export const list = 1;\n");
    writeFileSync(path.join(root, FOLDER, "other.ts"), "export const other = 1;\n");
    const before = readFiles(root);
    const refused = await runCommand(root, DELETE);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining(`${FOLDER}/list.ts`) });
    expect(readFiles(root)).toEqual(before);
    const { status, stdout } = await runCommand(root, `${DELETE} --force --yes`);
    expect(status).toBe(0);
    expect(stdout).toContain(`${FOLDER}/other.ts`);
    expect(Object.keys(readFiles(root)).filter((file) => file.startsWith(FOLDER))).toEqual([`${FOLDER}/other.ts`]);
  });

  it("rejects a name that PROJECT does not record", async () => {
    const root = await projectWith(CREATE);
    await expect(runCommand(root, "delete kubectl-plugin other")).resolves.toMatchObject({
      status: 1,
      stderr: expect.stringContaining('cannot delete kubectl plugin "other": the project has none with this name'),
    });
  });
});

describe("a project with a kubectl plugin", () => {
  it("does not delete the API that the plugin reads", async () => {
    const root = await projectWith(CREATE_API, CREATE);
    const before = readFiles(root);
    const deletion = "delete api --group webapp --version v1 --kind Guestbook --make=false";
    await expect(runCommand(root, deletion)).resolves.toMatchObject({
      status: 1,
      stderr: expect.stringContaining('the kubectl plugin "guestbook" reads it'),
    });
    expect(readFiles(root)).toEqual(before);
    await runCommands(root, DELETE, deletion);
  });

  it("renames the kind in the plugin", async () => {
    const root = await projectWith(CREATE_API, CREATE);
    await runCommands(root, "rename api --group webapp --version v1 --kind Guestbook --to-kind Book --make=false");
    const files = readFiles(root);
    expect(files[`${FOLDER}/list.ts`]).toContain(`import { Book } from "../../api/v1/book_types.ts";`);
    expect(files["PROJECT"]).not.toContain("Guestbook");
    await runCommands(root, DELETE);
  });

  it("follows group folders", async () => {
    const root = await projectWith(CREATE_API, CREATE);
    await runCommands(root, "edit --multigroup --make=false");
    expect(readFiles(root)[`${FOLDER}/list.ts`]).toContain(`from "../../api/webapp/v1/guestbook_types.ts";`);
    await runCommands(root, DELETE);
  });

  it("is regenerated as it is", async () => {
    const root = await projectWith(CREATE_API, CREATE);
    const before = readFiles(root);
    writeFileSync(path.join(root, FOLDER, "main.ts"), "");
    await runCommands(root, "alpha generate --force --make=false");
    expect(readFiles(root)).toEqual(before);
  });

  it("restores its record from its sources", async () => {
    const create = "create api --group webapp --version v1 --kind Client --controller=false --make=false";
    const root = await projectWith(CREATE_API, CREATE, create, "create kubectl-plugin people --kind Client");
    const before = readFiles(root)["PROJECT"] ?? "";
    rmSync(path.join(root, "PROJECT"));
    await runCommands(root, "alpha restore-project");
    expect(readFiles(root)["PROJECT"]).toBe(before);
  });

  it("is checked by doctor", async () => {
    const root = await projectWith(CREATE_API, CREATE);
    await runCommands(root, "manifests", "generate");
    await expect(runCommand(root, "doctor")).resolves.toMatchObject({
      status: 0,
      stdout: expect.not.stringContaining("kubectl"),
    });
    const files = readFiles(root);
    writeFileSync(path.join(root, "package.json"), (files["package.json"] ?? "").replace("build:kubectl-", "build-"));
    writeFileSync(path.join(root, "PROJECT"), (files["PROJECT"] ?? "").replace("name: guestbook\n", "name: get\n"));
    const { status, stdout } = await runCommand(root, "doctor");
    expect(status).toBe(1);
    expect(stdout).toContain("error: package.json: the script build:kubectl-get is missing");
    expect(stdout).toContain('error: PROJECT: kubectl runs its own command "get" instead of the plugin with this name');
    expect(stdout).toContain('note: cmd/kubectl-guestbook/main.ts: there is a kubectl plugin "guestbook"');
    expect(stdout).toContain(
      "error: cmd/kubectl-get/main.ts: the file is missing, but PROJECT records it as scaffolded",
    );
  });

  it("completes its name for delete", async () => {
    const root = await projectWith(CREATE_API, CREATE);
    const { stdout } = await runCommand(root, "__complete delete kubectl-plugin g");
    expect(stdout).toBe("guestbook\n");
  });

  it("rejects a PROJECT whose record leads out of the project", async () => {
    const root = await projectWith(CREATE_API, CREATE);
    const project = readFiles(root)["PROJECT"] ?? "";
    writeFileSync(path.join(root, "PROJECT"), project.replace("name: guestbook", "name: ../../guestbook"));
    await expect(runCommand(root, DELETE)).resolves.toMatchObject({
      status: 1,
      stderr: expect.stringContaining("is not the name of a kubectl plugin"),
    });
  });
});
