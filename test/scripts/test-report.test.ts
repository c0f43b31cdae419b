import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface Failure {
  readonly title: string;
  readonly text: string;
}

interface Results {
  readonly file: string;
  readonly passed: number;
  readonly failures: readonly Failure[];
}

interface TestReport {
  readonly readResults: (report: string) => readonly Results[];
  readonly withSecondRun: (
    first: readonly Results[],
    second: readonly Results[],
  ) => { readonly results: readonly Results[]; readonly unstable: readonly string[] };
  readonly passedIn: (results: readonly Results[]) => number;
  readonly failuresIn: (results: readonly Results[]) => readonly Failure[];
}

const script = pathToFileURL(path.join(ROOT, "scripts/test-report.mjs")).href;
const { readResults, withSecondRun, passedIn, failuresIn } = (await import(script)) as TestReport;

const of = (file: string, passed: number, ...failed: readonly string[]): Results => ({
  file,
  passed,
  failures: failed.map((title) => ({ title, text: "" })),
});

function count(first: readonly Results[], second: readonly Results[]): readonly [number, number, readonly string[]] {
  const { results, unstable } = withSecondRun(first, second);
  return [passedIn(results), failuresIn(results).length, unstable];
}

describe("the results of a run", () => {
  it("are the passed and failed tests of each file, and a file that failed without a failed test is one failure", () => {
    const report = path.join(temporaryFolder(), "report.json");
    const test = (fullName: string, status: string): object => ({ fullName, status, failureMessages: ["a\nb"] });
    const testResults = [
      {
        name: path.join(ROOT, "test/a.test.ts"),
        status: "failed",
        assertionResults: [test("x", "passed"), test("y", "failed")],
      },
      { name: path.join(ROOT, "test/b.test.ts"), status: "failed", message: "no such module", assertionResults: [] },
      {
        name: path.join(ROOT, "test/c.test.ts"),
        status: "failed",
        message: "hook",
        assertionResults: [test("z", "skipped")],
      },
    ];
    writeFileSync(report, JSON.stringify({ testResults }));
    expect(readResults(report)).toEqual([
      { file: "test/a.test.ts", passed: 1, failures: [{ title: "test/a.test.ts > y", text: "a\nb" }] },
      { file: "test/b.test.ts", passed: 0, failures: [{ title: "test/b.test.ts", text: "no such module" }] },
      { file: "test/c.test.ts", passed: 0, failures: [{ title: "test/c.test.ts", text: "hook" }] },
    ]);
  });
});

describe("the totals after a second run", () => {
  it("count a test that passes the second time once, and name it", () => {
    expect(count([of("a", 3, "a > x"), of("b", 5)], [of("a", 4)])).toEqual([9, 0, ["a > x"]]);
  });

  it("count all tests of a file that could be loaded the second time only", () => {
    expect(count([of("a", 0, "a"), of("b", 5)], [of("a", 20)])).toEqual([25, 0, ["a"]]);
  });

  it("count a test that fails the second time only as failed", () => {
    expect(count([of("a", 3, "a > x")], [of("a", 3, "a > y")])).toEqual([3, 1, ["a > x"]]);
    expect(count([of("a", 3, "a > x")], [of("a", 2, "a > y", "a > z")])).toEqual([2, 2, ["a > x"]]);
  });

  it("count what fails twice once", () => {
    expect(count([of("a", 3, "a > x", "a > y")], [of("a", 4, "a > x")])).toEqual([4, 1, ["a > y"]]);
  });

  it("ignore files that had not failed, whose paths contain the path of one that had", () => {
    expect(
      count(
        [of("test/a", 3, "test/a > x"), of("packages/p/test/a", 5)],
        [of("test/a", 4), of("packages/p/test/a", 5), of("other", 7)],
      ),
    ).toEqual([9, 0, ["test/a > x"]]);
  });

  it("keep the failures of the first run where the second has no result", () => {
    expect(count([of("a", 3, "a > x")], [])).toEqual([3, 1, []]);
  });
});
