// Everything that must hold before a commit: types, lint, format, unused code, architecture. Runs all of it and names what failed.
import { binOf, ensureInstalled, runStatus } from "./ensure-installed.mjs";

const STEPS = [
  ["types", binOf, "typescript", "tsc", ["-b"]],
  ["lint", binOf, "oxlint", "oxlint", ["--type-aware"]],
  ["format", binOf, "oxfmt", "oxfmt", ["--check"]],
  ["unused code", binOf, "knip", "knip", []],
  ["architecture", binOf, "vitest", "vitest", ["run", "--project", "cli", "test/architecture"]],
];

ensureInstalled();
const failed = STEPS.filter(([title, bin, packageName, binName, args]) => {
  console.log(`\n== ${title}`);
  return runStatus(process.execPath, [bin(packageName, binName), ...args]) !== 0;
}).map(([title]) => title);
console.log(failed.length === 0 ? "\ncheck: all passed" : `\ncheck: failed: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);
