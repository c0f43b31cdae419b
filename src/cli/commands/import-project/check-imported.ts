import { createRequire } from "node:module";
import path from "node:path";

import { messageOf } from "@kubescaffold/k8s";

import { type ImportCheck, readTestReport, readTypeErrors } from "../../../go-project/import-checks.ts";
import type { Invocation } from "../../command/command.ts";
import { InterruptedError } from "../../command/errors.ts";
import { announce } from "../../output/report-outcome.ts";
import { installPackages } from "../../programs/install-packages.ts";
import { readOutput } from "../../programs/run-program.ts";

/** What is done with an imported project. */
export interface CheckOptions {
  /** Whether the packages are installed. */
  readonly installs: boolean;
  /** Whether the tests run. */
  readonly tests: boolean;
}

/** Installs the packages of an imported project, type-checks it, and runs its tests, as far as the options ask for it. */
export async function checkImported(
  options: CheckOptions,
  invocation: Invocation,
  root: string,
): Promise<readonly ImportCheck[]> {
  const failure = options.installs ? await install(invocation, root) : undefined;
  if (failure !== undefined) return [failure, notRun("types", UNINSTALLED), notRun("tests", UNINSTALLED)];
  const own = { ...invocation, cwd: root };
  const types = await unlessInterrupted("types", COMPILER, () => checkTypes(own));
  const isUnchecked = types.problems[0]?.where === COMPILER;
  const tests = !options.tests
    ? notRun("tests", "--skip-tests is set; run `npm test`")
    : types.state === "failed"
      ? notRun("tests", isUnchecked ? "the types were not checked" : "the types have errors")
      : await unlessInterrupted("tests", "vitest run", () => runTests(own));
  return [types, tests];
}

const COMPILER = "tsc --noEmit";

// The project is complete: an interrupted check is reported beside those before it.
async function unlessInterrupted(
  what: ImportCheck["what"],
  where: string,
  check: () => Promise<ImportCheck>,
): Promise<ImportCheck> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    const fix = what === "types" ? "run `npm run vet` and `npm test`" : "run `npm test`";
    return { what, state: "failed", note: "", problems: [{ where, why: error.message, fix }] };
  }
}

/** Returns the checks of a project that was not written. */
export function checksOfDryRun(): readonly ImportCheck[] {
  const why = "nothing was written";
  return [notRun("types", why), notRun("tests", why)];
}

const UNINSTALLED = "the packages are not installed; run `npm install`, `npm run vet`, and `npm test`";

function notRun(what: ImportCheck["what"], note: string): ImportCheck {
  return { what, state: "not run", note, problems: [] };
}

async function install(invocation: Invocation, root: string): Promise<ImportCheck | undefined> {
  try {
    await installPackages({ ...invocation, cwd: root });
    return undefined;
  } catch (error) {
    const fix = "run `npm install` in the project";
    return {
      what: "packages",
      state: "failed",
      note: "",
      problems: [{ where: "package.json", why: messageOf(error), fix }],
    };
  }
}

async function checkTypes(invocation: Invocation): Promise<ImportCheck> {
  const compiler = fileOf(invocation.cwd, "typescript", "bin/tsc");
  if (compiler === undefined) return notRun("types", UNINSTALLED);
  announce(invocation, "Checking types: tsc --noEmit …");
  const { text, status } = await run(invocation, [compiler, "--noEmit", "--pretty", "false"]);
  return readTypeErrors(text, status);
}

async function runTests(invocation: Invocation): Promise<ImportCheck> {
  const vitest = fileOf(invocation.cwd, "vitest", "vitest.mjs");
  if (vitest === undefined) return notRun("tests", UNINSTALLED);
  announce(invocation, "Running the tests: vitest run …");
  const { text, status } = await run(invocation, [vitest, "run", "--reporter=json"]);
  const relative = (file: string): string => path.relative(invocation.cwd, file).split(path.sep).join("/");
  return readTestReport(text, { status, relative });
}

function run(
  invocation: Invocation,
  args: readonly string[],
): Promise<{ readonly text: string; readonly status: number | undefined }> {
  const node = { name: process.execPath, hint: "run the command again" };
  return readOutput(node, args, { invocation, env: { NO_COLOR: "1" } });
}

// A workspace may have installed them above the project.
function fileOf(root: string, name: string, file: string): string | undefined {
  const { resolve } = createRequire(path.join(root, "package.json"));
  try {
    resolve("@kubescaffold/runtime/package.json");
    return path.join(path.dirname(resolve(`${name}/package.json`)), file);
  } catch {
    return undefined;
  }
}
