import { symlinkSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished, vi } from "vitest";

import type { PrintedDiagnostic } from "../../../../packages/generators/src/diagnostics/diagnostic.ts";
import { findCompiler, parseCompilerOutput, TypeChecker } from "../../../../src/cli/commands/dev/type-checker.ts";
import { ROOT } from "../../../architecture/source-files.ts";
import { temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

it("reads findings with their places and details", () => {
  const output = [
    "api/v1/a_types.ts(12,3): error TS2322: Type 'string' is not assignable to type 'number'.",
    "  The expected type comes from property 'size'.",
    "    And so on.",
    "error TS18003: No inputs were found in config file 'tsconfig.json'.",
    "",
  ].join("\r\n");
  expect(parseCompilerOutput(output)).toEqual([
    {
      severity: "error",
      code: "TS2322",
      message:
        "Type 'string' is not assignable to type 'number'.\n  The expected type comes from property 'size'.\n    And so on.",
      file: "api/v1/a_types.ts",
      line: 12,
      column: 3,
    },
    {
      severity: "error",
      code: "TS18003",
      message: "No inputs were found in config file 'tsconfig.json'.",
      file: "",
      line: 0,
      column: 0,
    },
  ]);
});

it(
  "checks a project with its own compiler, again after each change, tests included",
  { timeout: 120_000 },
  async () => {
    const root = temporaryFolder({
      "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, types: [] }, include: ["api"] }),
      "api/v1/a.ts": 'export const size: number = "three";\n',
    });
    symlinkSync(path.join(ROOT, "node_modules"), path.join(root, "node_modules"), "junction");
    const compiler = findCompiler(path.join(root, "api"));
    if (compiler === undefined) throw new Error("no compiler");
    const reports: (readonly PrintedDiagnostic[])[] = [];
    const checker = new TypeChecker(compiler, {
      root,
      stateFile: path.join(root, ".kubescaffold", "types.tsbuildinfo"),
      report: (findings) => reports.push(findings),
      fail: (reason) => {
        throw new Error(reason);
      },
    });
    onTestFinished(() => checker.stop());
    const last = (): readonly string[] | undefined =>
      reports.at(-1)?.map(({ file, line, code }) => `${file}:${String(line)} ${code}`);
    const seen = (findings: readonly string[]): Promise<void> =>
      vi.waitFor(() => expect(last()).toEqual(findings), { timeout: 60_000 });
    await seen(["api/v1/a.ts:1 TS2322"]);
    writeFiles(root, { "api/v1/a.ts": "export const size: number = 3;\n" });
    await seen([]);
    writeFiles(root, { "api/v1/a.test.ts": "export const size: string = 3;\n" });
    await seen(["api/v1/a.test.ts:1 TS2322"]);
  },
);

it("finds no compiler where none is installed", () => {
  expect(findCompiler(temporaryFolder())).toBeUndefined();
});
