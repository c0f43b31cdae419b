// Runs every gate in turn and prints `N passed, N failed` alone on the last line; each test counts, and each step that runs none counts as one.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { ensureInstalled, runStatus } from "./ensure-installed.mjs";

const reports = mkdtempSync(path.join(tmpdir(), "kubescaffold-ci-"));
const total = { passed: 0, failed: 0 };

ensureInstalled();
step("check", ["scripts/check.mjs"]);
testStep("test", ["scripts/run-tests.mjs"]);
step("quickstart", ["scripts/quickstart.mjs"]);
step("test:oracle", ["scripts/test-oracle.mjs"]);
step("test:control-plane", ["scripts/test-control-plane.mjs"]);

rmSync(reports, { recursive: true, force: true });
console.log(`\n${String(total.passed)} passed, ${String(total.failed)} failed`);
process.exit(total.failed === 0 ? 0 : 1);

function step(title, args) {
  const status = timed(title, args);
  if (status === 0) total.passed += 1;
  else total.failed += 1;
}

function testStep(title, args) {
  const report = path.join(reports, `${title}.json`);
  const status = timed(title, [...args, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`]);
  const counts = readCounts(report);
  total.passed += counts.passed;
  total.failed += counts.failed;
  if (status !== 0 && counts.failed === 0) total.failed += 1;
}

function timed(title, args) {
  const start = Date.now();
  console.log(`\n==== ${title}`);
  const status = runStatus(process.execPath, args);
  console.log(`==== ${title}: ${status === 0 ? "passed" : "FAILED"} in ${((Date.now() - start) / 1000).toFixed(0)} s`);
  return status;
}

function readCounts(report) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 0 };
  }
}
