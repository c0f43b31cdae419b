import { describe, expect, it } from "vitest";

import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await runCommand(temporaryFolder(), ["__complete", ...words].join(" "));
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t")[0] ?? "");
}

describe("completion", () => {
  it("offers commands, then the commands of a group", async () => {
    expect(await complete("ini")).toEqual(["init"]);
    expect(await complete("create", "")).toEqual(["api", "webhook"]);
  });

  it("offers the flags of a command that were not given yet", async () => {
    const flags = await complete("create", "api", "--group", "webapp", "--");
    expect(flags).toContain("--kind");
    expect(flags).toContain("--dry-run");
    expect(flags).not.toContain("--group");
  });

  it("offers the values of a flag that has few", async () => {
    expect(await complete("init", "--license", "c")).toEqual(["copyright"]);
  });

  it("offers the keys of plugins, and nothing else as the value of a flag", async () => {
    expect(await complete("edit", "--plugins", "graf")).toEqual(["grafana.kubescaffold.dev/v1-alpha"]);
    expect(await complete("create", "--plugins", "")).not.toContain("api");
    expect(await complete("init", "--domain", "")).toEqual([]);
  });
});
