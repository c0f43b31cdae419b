// Reads the JSON reports of vitest, file by file, and replaces the results of files that ran a second time.
import { readFileSync } from "node:fs";
import path from "node:path";

import { ROOT } from "./ensure-installed.mjs";

const LINES_OF_A_FAILURE = 40;

/** Reads the results of a report as `{ file, passed, failures: [{ title, text }] }` for each file of tests. Fails: if the report cannot be read. */
export function readResults(report) {
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  return testResults.map(({ name, status, message, assertionResults }) => {
    const file = path.relative(ROOT, name).replaceAll("\\", "/");
    return {
      file,
      passed: assertionResults.filter((each) => each.status === "passed").length,
      failures: failuresOf({ file, status, message, assertionResults }),
    };
  });
}

/**
 * Returns the results with those of a second run in place of those of the first, and the failures that the second run did not have.
 *
 * Only files that failed are replaced; a file that the second run does not report has failed still.
 */
export function withSecondRun(first, second) {
  const again = new Map(second.map((result) => [result.file, result]));
  const results = first.map((result) => (result.failures.length === 0 ? result : (again.get(result.file) ?? result)));
  const remaining = new Set(failuresIn(results).map(({ title }) => title));
  const unstable = failuresIn(first)
    .map(({ title }) => title)
    .filter((title) => !remaining.has(title));
  return { results, unstable };
}

/** Returns the number of passed tests of all files. */
export function passedIn(results) {
  return results.reduce((sum, { passed }) => sum + passed, 0);
}

/** Returns the failures of all files. */
export function failuresIn(results) {
  return results.flatMap(({ failures }) => failures);
}

// A file that cannot be loaded has no tests, and a hook that fails leaves the tests of its file skipped: the file is the failure.
function failuresOf({ file, status, message, assertionResults }) {
  const failures = assertionResults
    .filter((each) => each.status === "failed")
    .map(({ fullName, failureMessages }) => ({
      title: `${file} > ${fullName}`,
      text: firstLinesOf(failureMessages.join("\n")),
    }));
  return failures.length === 0 && status === "failed" ? [{ title: file, text: firstLinesOf(message) }] : failures;
}

function firstLinesOf(text) {
  return text.split("\n").slice(0, LINES_OF_A_FAILURE).join("\n");
}
