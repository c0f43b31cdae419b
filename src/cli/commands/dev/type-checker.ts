import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import path from "node:path";
import process from "node:process";

import type { PrintedDiagnostic } from "@kubescaffold/generators/diagnostics";
import { messageOf } from "@kubescaffold/k8s";
import { watch } from "chokidar";
import { execa } from "execa";

import { installedPackage } from "../../../project/installed-package.ts";

/** What a type checker works with. */
export interface TypeCheckerOptions {
  /** The folder of the project. */
  readonly root: string;
  /** The file for what the compiler knows of earlier runs. */
  readonly stateFile: string;
  /** Receives all findings after each run. */
  readonly report: (findings: readonly PrintedDiagnostic[]) => void;
  /** Receives the reason why the compiler could not run. */
  readonly fail: (reason: string) => void;
}

// The manager's restart goes first.
const SETTLE_MS = 300;
const LOW_PRIORITY = 10;

/** Checks the types of a project with its own compiler, in another process, now and after every change of a TypeScript file. */
export class TypeChecker {
  readonly #options: TypeCheckerOptions;
  readonly #compiler: string;
  readonly #watcher: ReturnType<typeof watch>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;
  #isOutdated = false;

  constructor(compiler: string, options: TypeCheckerOptions) {
    this.#options = options;
    this.#compiler = compiler;
    const { root } = options;
    this.#watcher = watch(
      CHECKED.map((name) => path.join(root, name)),
      {
        ignoreInitial: true,
        ignored: (file, stats) =>
          /[/\\](?:node_modules|dist)(?:[/\\]|$)/u.test(path.relative(root, file)) ||
          (stats?.isFile() === true && !/\.[mc]?ts$|tsconfig\.json$/u.test(file)),
      },
    )
      .on("ready", () => this.#schedule())
      .on("all", (event) => {
        if (event === "add" || event === "change" || event === "unlink") this.#schedule();
      });
  }

  /** Ends the watch and waits for a run that is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#watcher.close();
    await this.#running;
  }

  #schedule(): void {
    this.#isOutdated = true;
    if (this.#isStopped || this.#running !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isOutdated = false;
      this.#running = this.#check()
        .catch((error: unknown) => this.#options.fail(messageOf(error)))
        .finally(() => {
          this.#running = undefined;
          if (this.#isOutdated) this.#schedule();
        });
    }, SETTLE_MS);
  }

  async #check(): Promise<void> {
    const { root, stateFile, report, fail } = this.#options;
    const flags = ["--noEmit", "--pretty", "false", "--incremental", "--tsBuildInfoFile", stateFile];
    const child = execa(process.execPath, [this.#compiler, ...flags], {
      cwd: root,
      stdin: "ignore",
      all: true,
      reject: false,
    });
    lowerPriority(child.pid);
    const { all, exitCode } = await child;
    if (this.#isStopped || this.#isOutdated) return;
    const findings = parseCompilerOutput(all);
    if (exitCode === 0 || findings.length > 0) report(findings);
    else fail(all.split("\n", 1)[0] ?? `exit status ${String(exitCode)}`);
  }
}

const CHECKED = ["api", "cmd", "internal", "test", "tsconfig.json"];

// A system may forbid it, and then the run competes with the manager.
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, LOW_PRIORITY);
  } catch {
    return;
  }
}

/** Returns the script of the compiler that a project has installed, in its folder or one above it. */
export function findCompiler(root: string): string | undefined {
  const folder = installedPackage(root, "typescript");
  if (folder === undefined) return undefined;
  const manifest = readFileSync(path.join(folder, "package.json"), "utf8");
  const { bin } = JSON.parse(manifest) as { readonly bin?: { readonly tsc?: string } };
  return bin?.tsc === undefined ? undefined : path.join(folder, bin.tsc);
}

const FINDING =
  /^(?:(?<file>[^\s(][^(]*)\((?<line>\d+),(?<column>\d+)\): )?(?<severity>error|warning) (?<code>TS\d+): (?<message>.*)$/u;

/** Reads what the compiler prints with `--pretty false`: a line for each finding, and indented lines with its details. */
export function parseCompilerOutput(output: string): readonly PrintedDiagnostic[] {
  const findings: PrintedDiagnostic[] = [];
  for (const text of output.split(/\r?\n/u)) {
    const { file = "", line, column, severity, code, message } = FINDING.exec(text)?.groups ?? {};
    const last = findings.at(-1);
    if (code !== undefined && message !== undefined) {
      findings.push({
        severity: severity === "warning" ? "warning" : "error",
        code,
        message,
        file,
        line: Number(line ?? 0),
        column: Number(column ?? 0),
      });
    } else if (last !== undefined && /^\s+\S/u.test(text)) {
      findings[findings.length - 1] = { ...last, message: `${last.message}\n${text}` };
    }
  }
  return findings;
}
