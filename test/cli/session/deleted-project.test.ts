import { rmSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../../support/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it.each(["doctor", "manifests", CREATE_API])("%s prints how to restore a deleted PROJECT", async (line) => {
  const root = temporaryFolder();
  await runCommands(root, INIT);
  rmSync(path.join(root, "PROJECT"));
  const { status, stderr } = await runCommand(root, line);
  expect(status).toBe(1);
  expect(stderr).toContain("which has other files of a project: it was deleted [PROJECT_NOT_FOUND]\n");
  expect(stderr).toContain("hint: restore it with `git restore --source=HEAD -- PROJECT`");
});
