import { describe, expect, it } from "vitest";

import { INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../../support/temporary-folder.ts";

describe("dashboard", () => {
  it.each([
    ["--namespace Team", "cannot use --namespace Team: it is not a DNS label"],
    ["--watch-namespace default,Team", "cannot use --watch-namespace Team: it is not a DNS label"],
    ["--selector ((", "cannot use --selector ((: "],
    ["--port 70000", 'invalid value "70000" for flag --port: not a port'],
  ])("refuses %s before it connects to a cluster", async (flags, message) => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    const before = readFiles(root);
    const { status, stdout, stderr } = await runCommand(root, `dashboard --kubeconfig /nonexistent ${flags}`);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`error: ${message}`);
    expect(stderr).toContain("[CLI_INVALID_FLAG]\nhint: ");
    expect(readFiles(root)).toEqual(before);
  });
});
