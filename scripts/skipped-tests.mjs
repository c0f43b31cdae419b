// Finds in the JSON reports of vitest the tests that no run of several has run.
import { readFileSync } from "node:fs";
import path from "node:path";

import { ROOT } from "./ensure-installed.mjs";

/** Reads the tests of a report as `{ file, name, status }`, by their paths in the repository. */
export function testsOfReport(file) {
  const { testResults } = JSON.parse(readFileSync(file, "utf8"));
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({
      file: path.relative(ROOT, name).replaceAll("\\", "/"),
      name: fullName,
      status,
    })),
  );
}

/**
 * Returns the tests that were skipped in every run and that the table does not allow to be, each once.
 *
 * `tools` names the tools that this machine has: an entry for machines without one does not count where there is one.
 */
export function unexplainedSkips(tests, { allowed, tools }) {
  const key = ({ file, name }) => `${file} > ${name}`;
  const ran = new Set(tests.filter(({ status }) => status === "passed" || status === "failed").map(key));
  const skipped = tests.filter((test) => !ran.has(key(test)) && !isAllowed(test, { allowed, tools }));
  return [...new Set(skipped.map(key))].toSorted((left, right) => (left < right ? -1 : 1));
}

function isAllowed(test, { allowed, tools }) {
  return allowed.some(
    ({ file, name, without }) =>
      test.file === file && test.name.startsWith(name) && (without === undefined || !tools.includes(without)),
  );
}
