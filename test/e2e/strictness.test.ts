/** The examples, and with them the types of all packages, compile with each of the settings that projects have on top of `strict`. */
import { readdirSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { runProgram } from "../support/run-program.ts";

const SETTINGS = [
  ["--exactOptionalPropertyTypes", "true"],
  ["--noUncheckedIndexedAccess", "false"],
] as const;

describe("the examples", () => {
  it.each(readdirSync(path.join(ROOT, "examples")))("%s compiles with other settings, too", async (name) => {
    const cwd = path.join(ROOT, "examples", name);
    const compiler = path.join(ROOT, "node_modules", "typescript", "bin", "tsc");
    for (const setting of SETTINGS) {
      const result = await runProgram(process.execPath, [compiler, "--noEmit", "-p", ".", ...setting], { cwd });
      expect({ setting, ...result }).toEqual({ setting, status: 0, output: "" });
    }
  });
});
