// The results of specs, kept outside of the repository: the page has those of earlier runs, and of other machines, for specs that a run leaves out.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { CACHE } from "../go-programs.mjs";

const FOLDER = path.join(CACHE, "conformance");

/** Returns the kept results of the suite of a minor by title. */
export function keptResults(minor) {
  try {
    return new Map(JSON.parse(readFileSync(fileOf(minor), "utf8")).map((result) => [result.title, result]));
  } catch (error) {
    if (error.code === "ENOENT") return new Map();
    throw error;
  }
}

/** Keeps the result of a spec, in place of an earlier one. */
export function keepResult(minor, { title, state, seconds, commit }) {
  const results = keptResults(minor).set(title, { title, state, seconds, commit });
  mkdirSync(FOLDER, { recursive: true });
  const sorted = [...results.values()].toSorted((left, right) => (left.title < right.title ? -1 : 1));
  writeFileSync(fileOf(minor), `${JSON.stringify(sorted, undefined, 1)}\n`);
}

function fileOf(minor) {
  return path.join(FOLDER, `results-${minor}.json`);
}
