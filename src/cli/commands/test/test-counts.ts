import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { isRecord } from "@kubescaffold/platform";

/** The numbers of tests of one run. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A file for the results of one run of Vitest. */
export class CountFile {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates a folder for the file. */
  static async create(): Promise<CountFile> {
    return new CountFile(await mkdtemp(path.join(tmpdir(), "kubescaffold-test-")));
  }

  get #file(): string {
    return path.join(this.#folder, "results.json");
  }

  /** Returns the arguments with which Vitest writes the file, and prints what it prints without them. */
  arguments(
    words: readonly string[],
    env: Readonly<Record<string, string | undefined>> = process.env,
  ): readonly string[] {
    const hasReporter = words.some((word) => /^--reporters?(?:=|$)/u.test(word));
    const usual =
      env["GITHUB_ACTIONS"] === "true" ? ["--reporter=default", "--reporter=github-actions"] : ["--reporter=default"];
    return [...(hasReporter ? [] : usual), "--reporter=json", `--outputFile.json=${this.#file}`];
  }

  /** Returns the numbers; undefined if there are none, since Vitest did not run the tests. */
  async read(): Promise<Partial<TestCounts>> {
    try {
      return countsIn(JSON.parse(await readFile(this.#file, "utf8")));
    } catch {
      return {};
    }
  }

  /** Removes the file. */
  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function countsIn(results: unknown): Partial<TestCounts> {
  if (!isRecord(results)) return {};
  const count = (name: string): number => Number(results[name] ?? 0);
  return {
    passed: count("numPassedTests"),
    failed: count("numFailedTests"),
    skipped: count("numPendingTests") + count("numTodoTests"),
  };
}
