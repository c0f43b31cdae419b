import { readFileSync } from "node:fs";
import path from "node:path";

import type { GoFiles } from "../../../go-project/go-files.ts";
import { systemCodeOf } from "../../../machinery/disk.ts";
import { InputError } from "../../command/errors.ts";
import { entriesOf, requireInputFolder, unreadable } from "../../flags/input-paths.ts";

/** Opens the folder of a project in Go. Fails: `InputError` when there is no such folder. */
export function readGoFiles(folder: string, shown: string, crds?: string): GoFiles {
  requireInputFolder(folder, shown);
  const paths = filesBelow(folder, shown);
  // A link could lead to any file of this machine.
  const known = new Set(paths);
  const definitions = crds === undefined ? undefined : `${path.posix.normalize(crds).replace(/\/$/u, "")}/`;
  if (definitions !== undefined && !paths.some((file) => file.startsWith(definitions)))
    throw new InputError(`cannot read CRDs from ${crds}: the Go project has no files in it`, {
      hint: "pass a folder relative to the Go project, such as --crds config/crds",
    });
  return {
    folder: shown,
    crds: definitions,
    paths,
    read: (file) => (known.has(file) ? readText(folder, file) : undefined),
  };
}

// What tools fetch, build and keep for themselves.
const FOREIGN = new Set(["bin", "dist", "node_modules", "vendor", "testbin"]);
const KEPT_DOT_FOLDERS = new Set([".devcontainer", ".github"]);

function filesBelow(root: string, shown: string, below = ""): readonly string[] {
  return entriesOf(path.join(root, below), path.join(shown, below))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const relative = below === "" ? entry.name : `${below}/${entry.name}`;
      if (!entry.isDirectory()) return entry.isFile() ? [relative] : [];
      const isForeign = entry.name.startsWith(".")
        ? !KEPT_DOT_FOLDERS.has(entry.name)
        : below === "" && FOREIGN.has(entry.name);
      return isForeign ? [] : filesBelow(root, shown, relative);
    });
}

function readText(root: string, file: string): string | undefined {
  try {
    return readFileSync(path.join(root, file), "utf8");
  } catch (cause) {
    if (systemCodeOf(cause) === "ENOENT" || systemCodeOf(cause) === "EISDIR") return undefined;
    throw unreadable(file, cause);
  }
}
