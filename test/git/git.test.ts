import { describe, expect, it } from "vitest";

import { runGit } from "../../src/git/git.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("runGit", () => {
  it("returns what git prints, as it is", async () => {
    const root = temporaryFolder();
    expect(await runGit(root, ["init", "--quiet"])).toEqual({ kind: "done", output: "" });
    expect(await runGit(root, ["rev-parse", "--is-inside-work-tree"])).toEqual({ kind: "done", output: "true\n" });
  });

  it("returns the first line of git's complaint", async () => {
    const root = temporaryFolder();
    await runGit(root, ["init", "--quiet"]);
    const outcome = await runGit(root, ["rev-parse", "--verify", "refs/heads/none"]);
    expect(outcome).toEqual({ kind: "failed", reason: "Needed a single revision", status: 128, output: "" });
  });
});
