import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

import type { GoFiles } from "../go-project/go-project.ts";
import { systemCodeOf } from "../machinery/disk.ts";
import { InputError } from "./errors.ts";

/** Opens the folder of a project in Go. Fails: `InputError` when there is no such folder. */
export function readGoFiles(folder: string, shown: string): GoFiles {
  let isFolder = false;
  try {
    isFolder = statSync(folder).isDirectory();
  } catch (cause) {
    throw new InputError(`cannot read ${shown}: there is no such folder`, { hint: "correct the path", cause });
  }
  if (!isFolder) throw new InputError(`cannot read ${shown}: it is no folder`, { hint: "name the project's folder" });
  return { folder: shown, paths: filesBelow(folder, ""), read: (file) => readText(folder, file) };
}

// What tools fetch, build and keep for themselves.
const FOREIGN = new Set(["bin", "dist", "node_modules", "vendor", "testbin"]);
const KEPT_DOT_FOLDERS = new Set([".devcontainer", ".github"]);

function filesBelow(root: string, below: string): readonly string[] {
  const entries = readdirSync(path.join(root, below), { withFileTypes: true });
  return entries
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const relative = below === "" ? entry.name : `${below}/${entry.name}`;
      if (!entry.isDirectory()) return entry.isFile() ? [relative] : [];
      const isForeign = entry.name.startsWith(".")
        ? !KEPT_DOT_FOLDERS.has(entry.name)
        : below === "" && FOREIGN.has(entry.name);
      return isForeign ? [] : filesBelow(root, relative);
    });
}

function readText(root: string, file: string): string | undefined {
  try {
    return readFileSync(path.join(root, file), "utf8");
  } catch (cause) {
    if (systemCodeOf(cause) === "ENOENT" || systemCodeOf(cause) === "EISDIR") return undefined;
    throw new InputError(`cannot read ${file}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      hint: "make the file readable for this user",
      cause,
    });
  }
}
