import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { type ProgramResult, runProgram } from "../support/run-program.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";

const SCRIPT = path.join(ROOT, "scripts", "new-plugin.mjs");
const LIVENESS_MS = 300_000;

async function newPlugin(root: string, ...args: readonly string[]): Promise<ProgramResult> {
  return await runProgram(process.execPath, [SCRIPT, ...args, "--root", root], { cwd: root });
}

// The sources of this repository with its own folder of plugins.
function repository(): string {
  const root = temporaryFolder({ "plugins/README": "" });
  for (const name of ["package.json", "vitest.config.ts", "ARCHITECTURE.md"]) {
    copyFileSync(path.join(ROOT, name), path.join(root, name));
  }
  mkdirSync(path.join(root, "test"));
  for (const name of ["src", "packages", "node_modules", "test/support"]) {
    symlinkSync(path.join(ROOT, name), path.join(root, name), "junction");
  }
  return root;
}

describe("npm run new-plugin", () => {
  it("makes a plugin that works, and its row of the map", { timeout: LIVENESS_MS }, async () => {
    const root = repository();
    const made = await newPlugin(root, "on-call-notes", "--description", "Notes for the people on call");
    expect(made).toMatchObject({ status: 0, output: expect.stringContaining("import { onCallNotes }") });
    expect(readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8")).toContain(
      "| `plugins/on-call-notes` | Notes for the people on call |\n| `plugins/_template` |",
    );
    const files = readFiles(path.join(root, "plugins"));
    expect(files["on-call-notes/index.ts"]).toContain('key: "on-call-notes.kubescaffold.dev/v1-alpha",');
    expect(Object.values(files).join("\n")).not.toMatch(
      /template\.kubescaffold|const template\b|TEMPLATE|isHidden|start from/u,
    );

    const vitest = path.join(ROOT, "node_modules", "vitest", "vitest.mjs");
    const tested = await runProgram(process.execPath, [vitest, "run", "plugins/on-call-notes"], { cwd: root });
    expect(tested).toMatchObject({ status: 0, output: expect.stringMatching(/Tests +1 passed/u) });
  });

  it.each([
    ["no name", []],
    ["a name that is none", ["Notes"]],
    ["two names", ["notes", "more"]],
    ["the program's own name", ["base"]],
  ])("refuses %s", async (_, args) => {
    const root = temporaryFolder({ "plugins/README": "" });
    expect(await newPlugin(root, ...args)).toMatchObject({
      status: 2,
      output: expect.stringContaining("usage: npm run new-plugin"),
    });
    expect(Object.keys(readFiles(root))).toEqual(["plugins/README"]);
  });

  it("refuses a plugin that is there", async () => {
    const root = temporaryFolder({ "plugins/notes/index.ts": "" });
    expect(await newPlugin(root, "notes")).toMatchObject({
      status: 2,
      output: expect.stringContaining("plugins/notes exists"),
    });
  });
});
