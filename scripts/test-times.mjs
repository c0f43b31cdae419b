// `npm run test:times [-- <paths>]`: runs the tests and prints the files and tests that took longest.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { ROOT, binOf, ensureInstalled, runStatus } from "./ensure-installed.mjs";

const SHOWN = 25;

ensureInstalled();
const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-times-"));
const report = path.join(folder, "report.json");
const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
const status = runStatus(process.execPath, [binOf("vitest"), "run", ...reporters, ...process.argv.slice(2)]);
const { testResults } = JSON.parse(readFileSync(report, "utf8"));
rmSync(folder, { recursive: true, force: true });
print(
  "files",
  testResults.map(({ name, startTime, endTime }) => [endTime - startTime, path.relative(ROOT, name)]),
);
print(
  "tests",
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => [duration ?? 0, `${path.relative(ROOT, name)} > ${fullName}`]),
  ),
);
process.exit(status);

function print(title, times) {
  const total = times.reduce((sum, [time]) => sum + time, 0);
  console.log(`\nThe slowest of ${String(times.length)} ${title}, which took ${seconds(total)} s in all workers:`);
  for (const [time, name] of times.toSorted(([left], [right]) => right - left).slice(0, SHOWN))
    console.log(`${seconds(time).padStart(7)}  ${name}`);
}

function seconds(milliseconds) {
  return (milliseconds / 1000).toFixed(1);
}
