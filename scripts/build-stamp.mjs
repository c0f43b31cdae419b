// What the last build read and wrote, so that a build after it, of the same sources, has nothing to do.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { sourceCommit } from "./source-commit.mjs";

// Everything that a build reads. The lock file states the tools and libraries.
const INPUTS = ["bin", "src", "plugins", "templates", "scripts", "packages", "package.json", "package-lock.json"];
const CONFIGURATION = /^tsconfig[\w.]*\.json$/u;
const NOT_READ = new Set(["node_modules", "dist", "test"]);
const STAMP = ["node_modules", ".cache", "kubescaffold", "build.json"];

/** Reports whether the outputs of a repository are those of its sources. */
export function isBuilt(root) {
  const stamp = readStamp(path.join(root, ...STAMP));
  return stamp?.outputs === digestOfOutputs(root) && stamp.inputs === digestOfInputs(root);
}

// A build that was killed may have left half a file.
function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Returns a function that states the outputs of a build, to be called when it has ended; what was stated before is void from now on. */
export function startBuild(root) {
  const file = path.join(root, ...STAMP);
  rmSync(file, { force: true });
  const inputs = digestOfInputs(root);
  return () => {
    // Sources that have changed meanwhile may not be in the outputs.
    if (digestOfInputs(root) !== inputs) return;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ inputs, outputs: digestOfOutputs(root) }));
  };
}

function digestOfInputs(root) {
  const hash = createHash("sha256").update(JSON.stringify(sourceCommit(root)));
  const names = [
    ...INPUTS,
    ...readdirSync(root)
      .filter((name) => CONFIGURATION.test(name))
      .toSorted(),
  ];
  for (const file of names.flatMap((name) => filesOf(path.join(root, name), NOT_READ))) {
    hash.update(path.relative(root, file)).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

// By sizes and times: whatever changes an output writes the file.
function digestOfOutputs(root) {
  const hash = createHash("sha256");
  const folders = ["", ...readdirSync(path.join(root, "packages")).map((name) => path.join("packages", name))];
  for (const file of folders.flatMap((folder) => filesOf(path.join(root, folder, "dist"), new Set()))) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${path.relative(root, file)}\0${String(size)}\0${String(mtimeMs)}\0`);
  }
  return hash.digest("hex");
}

function filesOf(item, leftOut) {
  if (!existsSync(item)) return [];
  if (!statSync(item).isDirectory()) return [item];
  return readdirSync(item)
    .filter((name) => !leftOut.has(name))
    .toSorted()
    .flatMap((name) => filesOf(path.join(item, name), leftOut));
}
