import { mkdirSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { INIT, runCommand, runCommands } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const ADD = "edit --plugins=autoupdate/v1-alpha";
const NOTE = "GitHub runs the workflows at the root of a repository";

function folderOf(repository: string, folder: string): string {
  const root = path.join(repository, folder);
  mkdirSync(root, { recursive: true });
  return root;
}

describe("workflows of a project below the root of its repository", () => {
  // A work tree has a file of that name.
  it.each([{ ".git/HEAD": "ref: refs/heads/main\n" }, { ".git": "gitdir: /elsewhere\n" }])(
    "are said not to run there, and how they do: %j",
    async (git) => {
      const root = folderOf(temporaryFolder(git), "operators/guestbook");
      const { stdout } = await runCommand(root, INIT);
      expect(stdout).toContain(`${NOTE}, and this project is its folder operators/guestbook: lint.yml, test-e2e.yml, `);
      const { stdout: added } = await runCommand(root, ADD);
      expect(added).toContain(": auto_update.yml will not run where they are.\n");
      expect(added).toContain("from .github/workflows to ../../.github/workflows");
      expect(added).toContain("  defaults:\n    run:\n      working-directory: operators/guestbook\n");
      expect((await runCommand(root, ADD)).stdout).not.toContain(NOTE);
    },
  );

  it("are empty in a project that is its repository, or in none", async () => {
    const whole = temporaryFolder({ ".git/HEAD": "ref: refs/heads/main\n" });
    const none = temporaryFolder();
    for (const root of [whole, none]) {
      expect((await runCommand(root, INIT)).stdout).not.toContain(NOTE);
      expect((await runCommand(root, ADD)).stdout).not.toContain(NOTE);
    }
  });

  it("are not spoken of by commands that write none", async () => {
    const root = folderOf(temporaryFolder({ ".git/HEAD": "ref: refs/heads/main\n" }), "operator");
    await runCommands(root, INIT);
    expect((await runCommand(root, "edit --multigroup")).stdout).not.toContain(NOTE);
  });
});
