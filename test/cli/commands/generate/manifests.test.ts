import { describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { listFolders, readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

async function project(): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, CREATE_API);
  return root;
}

describe("manifests", () => {
  it("writes CRDs and roles; the second run changes nothing", async () => {
    const root = await project();
    expect((await runCommand(root, "manifests")).stdout).toBe(
      "created config/crd/bases/webapp.demo_guestbooks.yaml\nchanged config/rbac/role.yaml\n",
    );
    expect(await runCommand(root, "manifests")).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(listFolders(root)).not.toContain(".kubescaffold");
  });

  it("is what gen does with the arguments of upstream's Makefile", async () => {
    const [one, other] = [await project(), await project()];
    await runCommands(one, "manifests");
    await runCommands(
      other,
      "gen rbac:roleName=manager-role crd webhook paths=./... output:crd:artifacts:config=config/crd/bases",
    );
    expect(readFiles(other)).toEqual(readFiles(one));
  });

  it("prints every error with its place and writes nothing", async () => {
    const root = await project();
    const types = readFiles(root)["api/v1/guestbook_types.ts"] ?? "";
    writeFiles(root, { "api/v1/guestbook_types.ts": types.replace("foo?: string", "foo?: Date") });
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, "manifests");
    expect(status).toBe(1);
    expect(stderr).toMatch(/api\/v1\/guestbook_types\.ts:\d+:\d+ - error /u);
    expect(stderr).toContain("not all generators ran successfully: 1 error in the sources [CLI_GENERATE_FAILED]");
    expect(readFiles(root)).toEqual(before);
  });

  it("shows on a dry run what it would change", async () => {
    const root = await project();
    const before = readFiles(root);
    expect((await runCommand(root, "manifests --dry-run")).stdout).toContain(
      "+++ b/config/crd/bases/webapp.demo_guestbooks.yaml",
    );
    expect(readFiles(root)).toEqual(before);
  });
});

describe("gen", () => {
  it("prints to standard output on request and writes nothing", async () => {
    const root = await project();
    const before = readFiles(root);
    const { status, stdout } = await runCommand(root, "gen crd paths=./... output:stdout");
    expect(status).toBe(0);
    expect(stdout).toContain("kind: CustomResourceDefinition");
    expect(readFiles(root)).toEqual(before);
  });
});
