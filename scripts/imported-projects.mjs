// What the scripts that import Go projects share: the command line, run from the sources of this repository.
import { spawnSync } from "node:child_process";
import path from "node:path";
import process from "node:process";

import { ROOT } from "./ensure-installed.mjs";

/** The condition that lets Node load the sources of the packages. */
export const SOURCES = "--conditions=@kubescaffold/source";

/** Runs a command of the CLI in a folder. */
export function runScaffold(cwd, words) {
  const program = path.join(ROOT, "bin", "scaffold.ts");
  return spawnSync(process.execPath, [SOURCES, "--import", import.meta.resolve("tsx"), program, ...words], {
    cwd,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
}

/** Returns the layout of the project that an import has read, from the JSON that it printed. */
export function layoutOf({ readFrom }) {
  return /^layout (.*)$/u.exec(readFrom[0]?.what ?? "")?.[1] ?? "no PROJECT file";
}
