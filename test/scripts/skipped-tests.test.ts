import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, it } from "vitest";

import { listFiles, readSource, ROOT } from "../architecture/source-files.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface Test {
  readonly file: string;
  readonly name: string;
  readonly status: string;
}

interface AllowedSkip {
  readonly file: string;
  readonly name: string;
  readonly without: string | undefined;
  readonly reason: string;
}

interface SkippedTests {
  readonly testsOfReport: (file: string) => readonly Test[];
  readonly unexplainedSkips: (
    tests: readonly Test[],
    options: { readonly allowed: readonly AllowedSkip[]; readonly tools: readonly string[] },
  ) => readonly string[];
}

const load = async (script: string): Promise<unknown> =>
  await import(pathToFileURL(path.join(ROOT, "scripts", script)).href);
const { testsOfReport, unexplainedSkips } = (await load("skipped-tests.mjs")) as SkippedTests;
const { ALLOWED_SKIPS } = (await load("allowed-skips.mjs")) as { readonly ALLOWED_SKIPS: readonly AllowedSkip[] };

const FILE = "test/a.test.ts";
const of = (name: string, status: string): Test => ({ file: FILE, name, status });

describe("skipped tests", () => {
  it("are read from a report by their paths in the repository", () => {
    const report = path.join(temporaryFolder(), "report.json");
    const assertionResults = [{ fullName: "a b", status: "skipped" }];
    writeFileSync(report, JSON.stringify({ testResults: [{ name: path.join(ROOT, FILE), assertionResults }] }));
    expect(testsOfReport(report)).toEqual([of("a b", "skipped")]);
  });

  it.each(["skipped", "pending", "todo", "disabled"])("are named once when no run has run them: %s", (status) => {
    const tests = [of("one", "passed"), of("two", status), of("two", status)];
    expect(unexplainedSkips(tests, { allowed: [], tools: [] })).toEqual([`${FILE} > two`]);
  });

  it("are no skipped tests when another run has run them", () => {
    const tests = [of("one", "skipped"), of("one", "passed"), of("two", "failed"), of("two", "skipped")];
    expect(unexplainedSkips(tests, { allowed: [], tools: [] })).toEqual([]);
  });

  it("may be those that the table lists, for want of a tool only on machines without it", () => {
    const tests = [of("one more", "skipped"), of("two", "skipped")];
    const allowed = [
      { file: FILE, name: "one", without: undefined, reason: "" },
      { file: FILE, name: "two", without: "go", reason: "" },
    ];
    expect(unexplainedSkips(tests, { allowed, tools: [] })).toEqual([]);
    expect(unexplainedSkips(tests, { allowed, tools: ["go"] })).toEqual([`${FILE} > two`]);
    const elsewhere = allowed.map((each) => ({ ...each, file: "test/b.test.ts" }));
    expect(unexplainedSkips(tests, { allowed: elsewhere, tools: [] })).toHaveLength(2);
  });
});

it.each(ALLOWED_SKIPS)("$file may skip what it says it skips", ({ file, reason }) => {
  expect(readSource(file)).toMatch(/\bskip\b|skipIf|runIf/u);
  expect(reason).not.toBe("");
});

// What each machine that runs CI has.
const ALWAYS_RUN = [
  "test/cli/programs/open-in-browser.test.ts",
  "test/e2e/private-files.test.ts",
  "test/scenarios/e2e-cluster.test.ts",
];

it("each file whose tests need a program is in the table", () => {
  const listed = new Set([...ALLOWED_SKIPS.map(({ file }) => file), ...ALWAYS_RUN]);
  const needing = ["packages", "plugins", "test"]
    .flatMap((folder) => listFiles(folder))
    .filter(
      (file) => file.endsWith(".test.ts") && !file.startsWith("test/golden/") && !file.startsWith("test/scripts/"),
    )
    // `npm run test:node` says what is missing, and CI runs it on demand.
    .filter((file) => !file.startsWith("test/node/"))
    .filter((file) => /\bskipIf\(|\bskip: !/u.test(readSource(file).replaceAll(ON_WINDOWS, "")));
  expect(needing).not.toEqual([]);
  expect(needing.filter((file) => !listed.has(file))).toEqual([]);
});

const ON_WINDOWS = /\bskipIf\((?:process\.platform === "win32"|IS_WINDOWS|isWindows)\)/gu;
