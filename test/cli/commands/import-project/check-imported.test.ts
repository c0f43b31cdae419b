import { chmodSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { SINGLE_GROUP } from "../../../support/go-projects.ts";
import { runCommand } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const COMPILES = "";
const PASSES = 'console.log(\'{"numTotalTestSuites":1,"numPassedTests":7,"testResults":[]}\');';

/** A folder with a Go project, and programs in `node_modules` that print and exit as a compiler and a test runner may. */
function folderWith(programs: { readonly tsc: string; readonly vitest: string } | undefined): string {
  const root = temporaryFolder();
  writeFiles(root, Object.fromEntries(Object.entries(SINGLE_GROUP).map(([file, text]) => [`go/${file}`, text])));
  if (programs === undefined) return root;
  const manifest = '{"version":"1.0.0"}';
  writeFiles(root, {
    "node_modules/@kubescaffold/runtime/package.json": manifest,
    "node_modules/typescript/package.json": manifest,
    "node_modules/typescript/bin/tsc": programs.tsc,
    "node_modules/vitest/package.json": manifest,
    "node_modules/vitest/vitest.mjs": programs.vitest,
  });
  chmodSync(path.join(root, "node_modules/typescript/bin/tsc"), 0o755);
  return root;
}

const LINE = "import project go --output-dir ts --skip-install";

describe("the checks at the end of import project", () => {
  it("builds config/default, compiles, and runs the tests", async () => {
    const { status, stdout } = await runCommand(folderWith({ tsc: COMPILES, vitest: PASSES }), LINE);
    expect(status).toBe(0);
    expect(stdout).toMatch(/config\/default: it builds \d+ objects\n {2}types: they compile\n {2}tests: 7 pass\n/u);
    expect(stdout).not.toContain("npm install");
  });

  it("exits with status 1 for types that do not compile, and keeps the project", async () => {
    const tsc = 'console.log("api/v1/a.ts(1,2): error TS1: wrong."); process.exitCode = 2;';
    const root = folderWith({ tsc, vitest: PASSES });
    const { status, stdout } = await runCommand(root, LINE);
    expect(status).toBe(1);
    expect(stdout).toContain("api/v1/a.ts:1:2: error TS1: wrong.");
    expect(stdout).toContain("tests: not run, since the types have errors");
    expect(Object.keys(readFiles(path.join(root, "ts")))).toContain("PROJECT");
  });

  it("exits with status 1 for tests that fail", async () => {
    const report = {
      numTotalTestSuites: 1,
      testResults: [{ name: "x.test.ts", status: "failed", message: "cannot be loaded", assertionResults: [] }],
    };
    const vitest = `console.log(${JSON.stringify(JSON.stringify(report))}); process.exitCode = 1;`;
    const { status, stdout } = await runCommand(folderWith({ tsc: COMPILES, vitest }), LINE);
    expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining("x.test.ts: cannot be loaded") });
  });

  it("runs no tests with --skip-tests, and prints that", async () => {
    const root = folderWith({ tsc: COMPILES, vitest: "process.exitCode = 1;" });
    const { status, stdout } = await runCommand(root, `${LINE} --skip-tests`);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("tests: not run, since") });
  });

  it("prints what cannot run without packages", async () => {
    const { status, stdout } = await runCommand(folderWith(undefined), LINE);
    expect(status).toBe(0);
    expect(stdout).toContain("types: not run, since the packages are not installed");
    expect(stdout).toContain("tests: not run, since the packages are not installed");
  });

  it("adds the checks to the report in JSON", async () => {
    const { stdout } = await runCommand(folderWith({ tsc: COMPILES, vitest: PASSES }), `${LINE} --output json`);
    expect((JSON.parse(stdout) as { readonly checks: unknown }).checks).toMatchObject([
      { what: "config/default", state: "passed" },
      { what: "types", state: "passed" },
      { what: "tests", state: "passed" },
    ]);
  });

  it("builds on a dry run, too", async () => {
    const { stdout } = await runCommand(folderWith(undefined), `${LINE} --dry-run --output json`);
    expect((JSON.parse(stdout) as { readonly checks: unknown }).checks).toMatchObject([
      { what: "config/default", state: "passed" },
      { what: "types", state: "not run", note: "nothing was written" },
      { what: "tests", state: "not run", note: "nothing was written" },
    ]);
  });
});
