// Builds the page of the dashboard into packages/dashboard/dist, unless its sources and the versions of its libraries are those of the last build.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { binOf, ROOT, run } from "./ensure-installed.mjs";

const FOLDER = path.join(ROOT, "packages", "dashboard");
const DIST = path.join(FOLDER, "dist");
const STAMP = path.join(DIST, "sources.sha256");
// Beside the page, for this repository alone.
const METAFILE = path.join(DIST, "metafile.json");
/** Where the published package has the page. */
const PUBLISHED = path.join(ROOT, "packages", "envtest", "dist", "dashboard", "page");

if (process.argv[1] === fileURLToPath(import.meta.url)) buildDashboard();

/** Builds the page if anything changed. */
export function buildDashboard() {
  const sources = digestOfSources();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === sources) return;
  run(process.execPath, [binOf("vite"), "build", "--logLevel", "warn"], { cwd: FOLDER });
  writeFileSync(STAMP, sources);
}

/** Copies the page into the package that serves it, after its modules were bundled. */
export function publishDashboard() {
  rmSync(PUBLISHED, { recursive: true, force: true });
  mkdirSync(PUBLISHED, { recursive: true });
  for (const name of ["index.html", "assets"])
    cpSync(path.join(DIST, name), path.join(PUBLISHED, name), { recursive: true });
}

/** Returns which files the page contains, in the form of esbuild's record. */
export function dashboardMetafile() {
  return JSON.parse(readFileSync(METAFILE, "utf8"));
}

function digestOfSources() {
  const hash = createHash("sha256");
  const files = [
    ...readdirSync(path.join(FOLDER, "src"), { recursive: true, encoding: "utf8" }).map((name) => `src/${name}`),
    "index.html",
    "package.json",
    "tsconfig.json",
    "vite.config.ts",
  ];
  for (const name of files.toSorted()) {
    const file = path.join(FOLDER, name);
    if (/\.\w+$/u.test(name)) hash.update(name).update("\0").update(readFileSync(file)).update("\0");
  }
  hash.update(readFileSync(path.join(ROOT, "package-lock.json")));
  return hash.digest("hex");
}
