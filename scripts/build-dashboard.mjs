// Builds the page of the dashboard into packages/dashboard/dist/page, which the package publishes, unless its sources and the versions of its libraries are those of the last build.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { binOf, ROOT, run } from "./ensure-installed.mjs";

const FOLDER = path.join(ROOT, "packages", "dashboard");
const PAGE = "src/page";
const DIST = path.join(FOLDER, "dist", "page");
const STAMP = path.join(DIST, "sources.sha256");
// Beside the page, and not published.
const METAFILE = path.join(DIST, "metafile.json");

if (process.argv[1] === fileURLToPath(import.meta.url)) buildDashboard();

/** Builds the page if anything changed. */
export function buildDashboard() {
  const sources = digestOfSources();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === sources) return;
  run(process.execPath, [binOf("vite"), "build", "--logLevel", "warn"], { cwd: FOLDER });
  writeFileSync(STAMP, sources);
}

/** Returns which files the page contains, in the form of esbuild's record. */
export function dashboardMetafile() {
  return JSON.parse(readFileSync(METAFILE, "utf8"));
}

function digestOfSources() {
  const hash = createHash("sha256");
  const files = [
    ...readdirSync(path.join(FOLDER, PAGE), { recursive: true, encoding: "utf8" }).map((name) => `${PAGE}/${name}`),
    "index.html",
    "package.json",
    "tsconfig.page.json",
    "vite.config.ts",
  ];
  for (const name of files.toSorted()) {
    const file = path.join(FOLDER, name);
    if (/\.\w+$/u.test(name)) hash.update(name).update("\0").update(readFileSync(file)).update("\0");
  }
  hash.update(readFileSync(path.join(ROOT, "package-lock.json")));
  return hash.digest("hex");
}
