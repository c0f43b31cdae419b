// The results of specs, kept outside of the repository: the page has those of earlier runs, and of other machines, for specs that a run leaves out.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { CACHE } from "../go-programs.mjs";

const FILE = path.join(CACHE, "conformance", "results.json");

/** Returns the kept results by title. */
export function keptResults() {
  try {
    return new Map(JSON.parse(readFileSync(FILE, "utf8")).map((result) => [result.title, result]));
  } catch (error) {
    if (error.code === "ENOENT") return new Map();
    throw error;
  }
}

/** Keeps the result of a spec, in place of an earlier one. */
export function keepResult({ title, state, seconds }) {
  const results = keptResults().set(title, { title, state, seconds });
  mkdirSync(path.dirname(FILE), { recursive: true });
  const sorted = [...results.values()].toSorted((left, right) => (left.title < right.title ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify(sorted, undefined, 1)}\n`);
}
