import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { beforeAll, describe, expect, it } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BUNDLE = fileURLToPath(new URL("../../node_modules/.cache/kubescaffold-bundle/scaffold.js", import.meta.url));

function runBundle(
  cwd: string,
  line: string,
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BUNDLE, ...line.split(" ")], {
    cwd,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe("the bundled program", () => {
  beforeAll(() => {
    execFileSync(process.execPath, ["scripts/build-bundle.mjs", "node_modules/.cache/kubescaffold-bundle"], {
      cwd: ROOT,
      stdio: "pipe",
    });
  });

  it("writes what the sources write, file by file", async () => {
    const [ours, bundled] = [temporaryFolder(), temporaryFolder()];
    await runCommands(ours, INIT, CREATE_API, CREATE_WEBHOOK, "manifests");
    for (const line of [INIT, CREATE_API, CREATE_WEBHOOK, "manifests"])
      expect(runBundle(bundled, line)).toMatchObject({ status: 0, stderr: "" });
    expect(readFiles(bundled)).toEqual(readFiles(ours));
  });

  it.each(["--help", "create api --help", "version"])("prints for %s what the sources print", async (line) => {
    const folder = temporaryFolder();
    const { stdout } = await runCommand(folder, line);
    // The bundle describes the default plugin in its own words.
    const withoutPlugins = (text: string): string => text.replace(/Available Plugins:[\s\S]*?\n\n/u, "");
    expect(withoutPlugins(runBundle(folder, line).stdout)).toBe(withoutPlugins(stdout));
  });

  it.each([
    ["initt", 2],
    ["create api --groop a", 2],
    ["create api --version v1 --kind A", 1],
  ])("ends %s with status %i", (line, status) => {
    const result = runBundle(temporaryFolder(), line);
    expect(result).toMatchObject({ status, stdout: "" });
    expect(result.stderr).toMatch(/^error: .*\[[A-Z_]+\]\nhint: /u);
  });
});
