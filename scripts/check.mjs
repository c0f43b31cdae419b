// Everything that must hold before a commit: types, lint, format, unused code, spelling, architecture. Runs all of it and names what failed.
import { binOf, ensureInstalled, runStatus } from "./ensure-installed.mjs";

const STEPS = [
  { title: "types", packageName: "typescript", bin: "tsc", args: ["-b"] },
  { title: "lint", packageName: "oxlint", bin: "oxlint", args: ["--type-aware"] },
  { title: "format", packageName: "oxfmt", bin: "oxfmt", args: ["--check"] },
  { title: "unused code", packageName: "knip", bin: "knip", args: [] },
  { title: "spelling", script: "scripts/check-spelling.mjs" },
  {
    title: "architecture",
    packageName: "vitest",
    bin: "vitest",
    args: ["run", "--project", "architecture"],
  },
];

ensureInstalled();
const failed = STEPS.filter(({ title, script, packageName, bin, args }) => {
  console.log(`\n== ${title}`);
  return runStatus(process.execPath, script === undefined ? [binOf(packageName, bin), ...args] : [script]) !== 0;
}).map(({ title }) => title);
console.log(failed.length === 0 ? "\ncheck: all passed" : `\ncheck: failed: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);
