import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import type { Package } from "./package-model.ts";
import { PACKAGE_PATH, renderGo } from "./render-go.ts";

/** Where the programs are that scripts/test-oracle.mjs has built, and the empty module that knows Kubernetes. */
export interface GoTools {
  /** The program of hack/oracle. */
  readonly oracle: string;
  /** controller-gen itself. */
  readonly controllerGen: string;
  /** A folder with go.mod and go.sum, to write packages into. */
  readonly module: string;
}

/** What a program makes of a package. */
export interface Outcome {
  readonly output: string;
  /** Why it refuses the package; none when it does not. */
  readonly errors: readonly string[];
}

const MODULE_PATH = "golden.example.com/cases";
export const HEADER = "# Copyright YEAR Somebody\n# key: value\n";

/** Asks the Go program; the answers are in the order of the questions. */
export function askOracle(tools: GoTools, subject: string, questions: unknown): readonly unknown[] {
  const text = execFileSync(tools.oracle, [subject], {
    input: JSON.stringify(questions),
    encoding: "utf8",
    maxBuffer: 1 << 30,
    stdio: ["pipe", "pipe", "pipe"],
  });
  return JSON.parse(text) as readonly unknown[];
}

/** Runs controller-gen's generators over the Go halves, all in one process. */
export function runControllerGen(tools: GoTools, packages: readonly Package[]): readonly Outcome[] {
  writePackages(tools, packages);
  const cases = packages.map((each, index) => ({ folder: folderOf(index), arguments: each.options }));
  const question = { module: tools.module, import: MODULE_PATH, cases };
  const answers = askOracle(tools, "generate", question) as readonly {
    readonly output: string;
    readonly errors: readonly string[];
    readonly panic?: string;
  }[];
  return answers.map(({ output, errors, panic }) => ({
    output,
    errors: panic === undefined ? errors : [...errors, `panic: ${panic}`],
  }));
}

/** Runs controller-gen itself over one of the packages that the last call of {@link runControllerGen} wrote. */
export function runBinary(tools: GoTools, { options }: Package, index: number): Outcome {
  const words = [...options, `paths=./${folderOf(index)}/...`, "output:stdout"];
  try {
    const output = execFileSync(tools.controllerGen, words, { cwd: tools.module, encoding: "utf8", stdio: "pipe" });
    return { output, errors: [] };
  } catch (error) {
    return { output: "", errors: [String((error as { readonly stderr?: unknown }).stderr ?? error)] };
  }
}

function writePackages({ module }: GoTools, packages: readonly Package[]): void {
  rmSync(path.join(module, "cases"), { recursive: true, force: true });
  writeFileSync(path.join(module, "header.txt"), HEADER);
  for (const [index, each] of packages.entries()) {
    for (const [file, text] of Object.entries(renderGo(each))) {
      const target = path.join(module, folderOf(index), file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text.replaceAll(PACKAGE_PATH, `${MODULE_PATH}/${folderOf(index)}`));
    }
  }
}

function folderOf(index: number): string {
  return `cases/p${String(index)}`;
}
