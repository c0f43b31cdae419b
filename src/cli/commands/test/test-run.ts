import { alignColumns } from "../../output/align-columns.ts";
import type { TestCounts } from "./test-counts.ts";

/** The tests on one version of Kubernetes. The numbers are absent if Vitest did not run the tests. */
export interface TestRun extends Partial<TestCounts> {
  /** The minor version. */
  readonly kubernetes: string;
  /** Whether all tests passed, and no file failed. */
  readonly hasPassed: boolean;
  readonly durationMs: number;
}

const COLUMNS = ["KUBERNETES", "RESULT", "PASSED", "FAILED", "SKIPPED", "TIME"] as const;

/** Renders the results as a table, one version a line. */
export function renderRuns(runs: readonly TestRun[]): string {
  const lines = alignColumns([COLUMNS, ...runs.map((run) => cellsOf(run))], "   ");
  return lines.map((line) => `${line}\n`).join("");
}

function cellsOf({ kubernetes, hasPassed, passed, failed, skipped, durationMs }: TestRun): readonly string[] {
  const count = (number: number | undefined): string => (number === undefined ? "-" : String(number));
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  return [kubernetes, hasPassed ? "passed" : "failed", count(passed), count(failed), count(skipped), seconds];
}
