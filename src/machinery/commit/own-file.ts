import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { makeFolder } from "@kubescaffold/platform/files";

import { diskFailure } from "../disk-failure.ts";
import { realDisk } from "../disk.ts";
import { requireOwnTarget } from "./project-paths.ts";

/** A file of a project that is no part of a commit, such as built manifests. */
export interface OwnFile {
  readonly root: string;
  /** The path in the project, with forward slashes, or an absolute path. */
  readonly path: string;
  readonly content: string | Uint8Array;
  /** The permissions of the file. Default: 0644. */
  readonly mode?: number;
  /** What became of the file, or what to do, if it cannot be written. Default: the file was not changed. */
  readonly outcome?: string;
}

/**
 * Writes a file of a project in place of any that is there.
 *
 * Guarantees: other processes see all of it or none; no symbolic link leads the write out of the project; the permissions are those given, also where a
 * file with others was there. Fails: `SymbolicLinkError`, `DiskError`.
 */
export async function writeOwnFile(target: OwnFile): Promise<void> {
  const { root, path: relative, content, mode = 0o644, outcome = "the file was not changed" } = target;
  const file = path.resolve(root, relative);
  await requireOwnTarget(realDisk, root, file);
  const draft = `${file}.${randomUUID()}.new`;
  try {
    makeFolder(path.dirname(file));
    writeFileSync(draft, content, { flag: "wx", mode });
    renameSync(draft, file);
  } catch (error) {
    removeDraft(draft);
    throw diskFailure(error, { what: `write ${relative}`, outcome });
  }
}

// Where the file cannot be written, its draft may not be removable either; the first error tells why.
function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // Nothing else depends on the draft.
  }
}
