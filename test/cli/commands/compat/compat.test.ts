import { execFileSync } from "node:child_process";

import { describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const TYPES = "api/v1/guestbook_types.ts";

function git(root: string, ...words: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@demo", ...words], { cwd: root, stdio: "ignore" });
}

/** A project in a repository whose only commit has its CRD. */
async function committedProject(): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, CREATE_API, "manifests");
  git(root, "init", "--quiet");
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", "first");
  return root;
}

function changeField(root: string, to: string): void {
  const types = readFiles(root)[TYPES] ?? "";
  expect(types).toContain("foo?: string");
  writeFiles(root, { [TYPES]: types.replace("foo?: string", to) });
}

describe("compat", () => {
  it("passes without a change, and for a change that allows more", async () => {
    const root = await committedProject();
    const passes = { status: 0, stdout: "no change since HEAD breaks stored objects or clients\n", stderr: "" };
    expect(await runCommand(root, "compat")).toEqual(passes);
    changeField(root, "foo?: string;\n  bar?: string");
    expect(await runCommand(root, "compat")).toEqual(passes);
  });

  it("fails for a change that breaks stored objects, writes nothing, and compares with the named commit", async () => {
    const root = await committedProject();
    changeField(root, "foo: string");
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, "compat");
    expect(status).toBe(1);
    expect(stderr).toMatch(/guestbook_types\.ts:\d+:\d+ - error .*COMPAT_REQUIRED_ADDED/u);
    expect(stderr).toContain("accept a finding with crd:relax");
    expect(readFiles(root)).toEqual(before);
    await runCommands(root, "manifests");
    git(root, "commit", "--quiet", "--all", "--message", "second");
    expect(await runCommand(root, "compat")).toMatchObject({ status: 0 });
    expect(await runCommand(root, "compat --from=HEAD^1")).toMatchObject({ status: 1 });
  });

  it("says of errors that are no findings that nothing was compared", async () => {
    const root = await committedProject();
    for (const [line, change] of [
      ["compat --from=missing", "foo?: string"],
      ["compat", "foo?: Missing"],
    ] as const) {
      changeField(root, change);
      const { status, stderr } = await runCommand(root, line);
      expect([status, stderr.match(/^hint: .*$/gmu)]).toEqual([
        1,
        ["hint: fix the errors above; nothing was compared"],
      ]);
    }
  });

  it("accepts a finding that PROJECT relaxes", async () => {
    const root = await committedProject();
    changeField(root, "foo: string");
    await runCommands(root, "edit --generator-options crd:relax=COMPAT_REQUIRED_ADDED");
    expect(await runCommand(root, "compat")).toMatchObject({ status: 0 });
  });

  it("compares with nothing where the commit has no CRDs, and names a commit that does not exist", async () => {
    const root = await committedProject();
    git(root, "rm", "-r", "--cached", "--quiet", "config/crd/bases");
    git(root, "commit", "--quiet", "--message", "second");
    expect(await runCommand(root, "compat")).toMatchObject({
      status: 0,
      stdout: "nothing to compare: HEAD has no CRDs in config/crd/bases\n",
    });
    const { status, stderr } = await runCommand(root, "compat --from=v9");
    expect(status).toBe(1);
    expect(stderr).toContain("git knows no commit, branch or tag v9");
  });
});

describe("manifests in a repository", () => {
  it("warns of a change that breaks stored objects, and writes it", async () => {
    const root = await committedProject();
    changeField(root, "foo?: boolean");
    const { status, stdout, stderr } = await runCommand(root, "manifests");
    expect({ status, stdout }).toEqual({ status: 0, stdout: "changed config/crd/bases/webapp.demo_guestbooks.yaml\n" });
    expect(stderr).toMatch(/guestbook_types\.ts:\d+:\d+ - warning .*COMPAT_TYPE_CHANGED/u);
    expect(stderr).toContain("note: compared with the last commit; `npx scaffold compat` fails for these changes\n");
    expect(await runCommand(root, "manifests")).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it.each([
    ["a change that allows more", "foo?: string;\n  bar?: string"],
    ["a change of a description", "/** Changed. */\n  foo?: string"],
  ])("prints no warning for %s", async (_, to) => {
    const root = await committedProject();
    changeField(root, to);
    expect(await runCommand(root, "manifests")).toMatchObject({ status: 0, stderr: "" });
  });
});
