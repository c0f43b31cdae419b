// `npm run coverage [-- <paths>]`: runs the tests and prints how much of each folder of the sources they run. What runs in processes of its own
// (the bundled program, generated projects) does not count, so the true figures are higher. With `--reduced`, as in CI, tests that start no
// processes, of the folders that they cover.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { ROOT, binOf, ensureInstalled, run, runStatus } from "./ensure-installed.mjs";

const KINDS = ["lines", "functions", "branches"];
const SOURCES = ["src/**/*.ts", "plugins/**/*.ts", "packages/*/src/**/*.ts"];
const REDUCED_PACKAGES = ["platform", "k8s", "schema", "generators", "runtime", "apiserver", "cluster"];
const REDUCED_FOLDERS = ["machinery", "project"];
const REDUCED_SOURCES = [
  ...REDUCED_PACKAGES.map((name) => `packages/${name}/src/**/*.ts`),
  ...REDUCED_FOLDERS.map((name) => `src/${name}/**/*.ts`),
];
const REDUCED_TESTS = [
  ...REDUCED_PACKAGES.map((name) => `packages/${name}/test/`),
  ...REDUCED_FOLDERS.map((name) => `test/${name}/`),
];
const LEFT_OUT = ["**/test/**", "**/templates/**", "plugins/_template/**", "packages/k8s/src/api/**"];

const isReduced = process.argv.includes("--reduced");
const words = process.argv.slice(2).filter((word) => word !== "--reduced");
ensureInstalled();
run(process.execPath, [path.join(ROOT, "scripts", "build.mjs")]);
const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-coverage-"));
const status = runStatus(process.execPath, [
  binOf("vitest"),
  "run",
  "--reporter=dot",
  "--coverage.enabled",
  "--coverage.provider=v8",
  "--coverage.reporter=json-summary",
  "--coverage.reportOnFailure",
  `--coverage.reportsDirectory=${folder}`,
  ...(isReduced ? REDUCED_SOURCES : SOURCES).map((pattern) => `--coverage.include=${pattern}`),
  ...LEFT_OUT.map((pattern) => `--coverage.exclude=${pattern}`),
  ...(isReduced ? REDUCED_TESTS : []),
  ...words,
]);
const files = Object.entries(JSON.parse(readFileSync(path.join(folder, "coverage-summary.json"), "utf8")));
rmSync(folder, { recursive: true, force: true });
print(byFolder(files.filter(([file]) => file !== "total")));
process.exit(status);

/** Adds up files by the folder below `src`, and by plugin. */
function byFolder(summaries) {
  const folders = new Map();
  for (const [file, summary] of summaries) {
    const name = folderOf(path.relative(ROOT, file).replaceAll("\\", "/"));
    const sums = folders.get(name) ?? Object.fromEntries(KINDS.map((kind) => [kind, { total: 0, covered: 0 }]));
    for (const kind of KINDS) {
      sums[kind].total += summary[kind].total;
      sums[kind].covered += summary[kind].covered;
    }
    folders.set(name, sums);
  }
  return [...folders].toSorted(([left], [right]) => (left < right ? -1 : 1));
}

function folderOf(file) {
  const [, folder = path.posix.dirname(file)] =
    /^((?:packages\/[^/]+\/)?src(?:\/[^/]+(?=\/))?|plugins\/[^/]+)/u.exec(file) ?? [];
  return folder;
}

function print(folders) {
  const width = Math.max(...folders.map(([name]) => name.length));
  const row = (name, cells) => console.log(`${name.padEnd(width)}${cells.map((cell) => cell.padStart(11)).join("")}`);
  console.log("");
  row("folder", KINDS);
  for (const [name, sums] of folders)
    row(
      name,
      KINDS.map((kind) => percent(sums[kind])),
    );
  const all = (kind) =>
    folders.reduce(
      (sum, [, sums]) => ({ total: sum.total + sums[kind].total, covered: sum.covered + sums[kind].covered }),
      { total: 0, covered: 0 },
    );
  row(
    "all",
    KINDS.map((kind) => percent(all(kind))),
  );
}

function percent({ total, covered }) {
  return total === 0 ? "-" : `${((100 * covered) / total).toFixed(1)} %`;
}
