import { describe, expect, it } from "vitest";

import { importCrdCommand } from "../../../../src/cli/commands/import-crd/import-crd.ts";
import { runCommand } from "../../../support/run-command.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

describe("import crd", () => {
  it("is in a group of commands with its own help", async () => {
    const { status, stdout } = await runCommand(temporaryFolder(), "import --help");
    expect(status).toBe(0);
    expect(stdout).toMatch(new RegExp(`^  crd +${importCrdCommand.summary}$`, "mu"));
  });

  it("says what it takes between its flags", async () => {
    const { stdout } = await runCommand(temporaryFolder(), "import crd --help");
    expect(stdout).toContain("scaffold import crd <file|folder|url|->... [flags]");
  });

  it("needs an input", async () => {
    const { status, stderr } = await runCommand(temporaryFolder(), "import crd --output-dir types");
    expect(status).toBe(1);
    expect(stderr).toContain("cannot import without an input [CLI_INPUT]");
  });
});
