import { readFileSync } from "node:fs";
import path from "node:path";

import { expect } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { type ProgramResult, runProgram } from "../support/run-program.ts";

/** Does what `npm run vet` does in each of some projects, in one process, which reads what they have in common once. */
export async function typesOfProjects(roots: readonly string[]): Promise<ProgramResult> {
  for (const root of roots) {
    const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    expect(scripts["vet"]).toBe("tsc --noEmit");
  }
  const compiler = path.join(ROOT, "node_modules", "typescript", "bin", "tsc");
  return await runProgram(process.execPath, [compiler, "--build", ...roots, "--noEmit"], { cwd: ROOT });
}
