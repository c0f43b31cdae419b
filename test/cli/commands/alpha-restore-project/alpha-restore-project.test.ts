import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { parseProject } from "../../../../src/project/project-file.ts";
import { ROOT } from "../../../architecture/source-files.ts";
import { restoredForm } from "../../../support/restored-form.ts";
import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../../support/temporary-folder.ts";

const RESTORE = "alpha restore-project";

async function project(...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, ...lines);
  return root;
}

function projectText(root: string): string {
  return readFileSync(path.join(root, "PROJECT"), "utf8");
}

describe("alpha restore-project", () => {
  it.each(["single-group", "multi-group", "with-plugins"])(
    "restores PROJECT of the golden project %s",
    async (name) => {
      const root = temporaryFolder();
      cpSync(path.join(ROOT, "test/golden/projects", name, "project"), root, { recursive: true });
      const before = projectText(root);
      rmSync(path.join(root, "PROJECT"));
      const { status, stderr } = await runCommand(root, RESTORE);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(restoredForm(parseProject(projectText(root)))).toEqual(restoredForm(parseProject(before)));
    },
  );

  it("restores the same bytes for a usual project, which doctor accepts", async () => {
    const root = await project(CREATE_API, CREATE_WEBHOOK);
    const before = projectText(root);
    rmSync(path.join(root, "PROJECT"));
    await runCommands(root, RESTORE, "manifests", "generate", "doctor");
    expect(projectText(root)).toBe(before);
  });

  it("prints what it cannot restore, and its guesses", async () => {
    const root = await project();
    rmSync(path.join(root, "PROJECT"));
    const { stdout } = await runCommand(root, RESTORE);
    expect(stdout).toContain("created PROJECT\n");
    expect(stdout).toContain("- plugins: the generator options of `edit --generator-options` (assumed: none)\n");
    // No folder shows whether the kinds are in folders of their groups.
    expect(stdout).toContain("- multigroup (guessed: false)\n");
    expect(stdout).not.toContain("- domain");
  });

  it("guesses the domain from the groups when the leader election ID was changed", async () => {
    const root = await project(CREATE_API);
    const main = path.join(root, "cmd/main.ts");
    writeFileSync(main, readFileSync(main, "utf8").replace(/leaderElectionId: ".*"/u, 'leaderElectionId: "mine"'));
    const before = projectText(root);
    rmSync(path.join(root, "PROJECT"));
    const { stdout } = await runCommand(root, RESTORE);
    expect(stdout).toContain("- domain (guessed: ");
    expect(parseProject(projectText(root))).toEqual(parseProject(before));
  });

  it("reads the options of images with quotes and separators back", async () => {
    const root = await project();
    const { status } = await runCommand(
      root,
      `create api --group g --version v1 --kind Runner --image=busybox:1.37 --image-container-command=sh,-c,"echo\t'a,b'","" --run-as-user=1001 --plugins=deploy-image/v1-alpha --make=false`,
    );
    expect(status).toBe(0);
    const files = readFiles(root);
    rmSync(path.join(root, "PROJECT"));
    await runCommands(root, RESTORE, "alpha generate --make=false --force");
    const { PROJECT: _before, ...others } = files;
    const { PROJECT: _after, ...again } = readFiles(root);
    expect(again).toEqual(others);
  });

  it("writes nothing on a dry run, and prints JSON", async () => {
    const root = await project(CREATE_API);
    rmSync(path.join(root, "PROJECT"));
    const before = readFiles(root);
    const { status, stdout } = await runCommand(root, `${RESTORE} --dry-run --output json`);
    expect(status).toBe(0);
    const report = JSON.parse(stdout) as {
      readonly files: readonly { readonly path: string; readonly diff: string }[];
      readonly unknown: readonly string[];
    };
    expect(report.files.map((file) => file.path)).toEqual(["PROJECT"]);
    expect(report.files[0]?.diff).toContain("+  kind: Guestbook\n");
    expect(report.unknown.length).toBeGreaterThan(0);
    expect(readFiles(root)).toEqual(before);
  });

  it("refuses to overwrite PROJECT without --force", async () => {
    const root = await project(CREATE_API);
    const text = projectText(root);
    writeFileSync(path.join(root, "PROJECT"), text.replace("controller: true", "controller: false"));
    const { status, stderr } = await runCommand(root, RESTORE);
    expect(status).toBe(1);
    expect(stderr).toContain("[CLI_RESTORE_REFUSED]\nhint: ");
    await runCommands(root, `${RESTORE} --force`);
    expect(projectText(root)).toBe(text);
  });

  it("refuses a folder that is no project", async () => {
    const root = temporaryFolder();
    const { status, stderr } = await runCommand(root, RESTORE);
    expect(status).toBe(1);
    expect(stderr).toContain("it has no cmd/main.ts and no config/default/kustomization.yaml [CLI_RESTORE_REFUSED]");
    expect(readFiles(root)).toEqual({});
  });

  it("reports a controller whose kind cannot be found", async () => {
    const root = await project(CREATE_API);
    const file = path.join(root, "internal/controller/guestbook_controller.ts");
    writeFileSync(file, readFileSync(file, "utf8").replace(".for(Guestbook)", ".for(kindOf())"));
    rmSync(path.join(root, "PROJECT"));
    const { stdout } = await runCommand(root, RESTORE);
    expect(stdout).toContain("- the kind of internal/controller/guestbook_controller.ts, which is not recorded\n");
    expect(projectText(root)).not.toContain("controller: true");
  });

  it("is named by other commands when PROJECT is missing", async () => {
    const root = await project();
    rmSync(path.join(root, "PROJECT"));
    for (const line of ["doctor", "manifests", CREATE_API]) {
      const { stderr } = await runCommand(root, line);
      expect(stderr).toContain("git restore --source=HEAD -- PROJECT");
      expect(stderr).toContain("npx scaffold alpha restore-project");
    }
  });
});
