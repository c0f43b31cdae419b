import path from "node:path";

import { installedPackage } from "../../project/installed-package.ts";
import { ExternalProgramError } from "../command/errors.ts";

/** The packages without which no manager starts. */
const NEEDED = ["tsx", "@kubescaffold/runtime"];

/** Checks that the dependencies of a project are installed, so that its manager can start. Fails: {@link ExternalProgramError}. */
export function requireDependencies(root: string): void {
  const missing = NEEDED.find((name) => installedPackage(root, name) === undefined);
  if (missing === undefined) return;
  throw new ExternalProgramError(`cannot run cmd/main.ts: the package ${missing} is not installed`, {
    hint: "run `npm install` in the project",
  });
}

/** Returns the script of Vitest that a project has installed. Fails: {@link ExternalProgramError}. */
export function requireVitest(root: string): string {
  const folder = installedPackage(root, "vitest");
  if (folder !== undefined) return path.join(folder, "vitest.mjs");
  throw new ExternalProgramError("cannot run the tests: the package vitest is not installed", {
    hint: "run `npm install` in the project",
  });
}
