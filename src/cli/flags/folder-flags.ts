import path from "node:path";

import { isDangling, targetKindSync } from "../../machinery/disk.ts";
import { DanglingLinkError, NotAFolderError, NotARegularFileError } from "../../machinery/errors.ts";
import { requireInputFolder } from "./input-paths.ts";

/**
 * Returns the folder that a flag names to be written to, as an absolute path; nothing when the flag was not given.
 *
 * The folder need not be there yet. Fails: `NotAFolderError`, `DanglingLinkError` when it, or one above it, cannot be a folder.
 */
export function outputFolder(cwd: string, given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  requirePlaceForFolder(cwd, given);
  return path.resolve(cwd, given);
}

/**
 * Returns the folder that a flag names to be read, as an absolute path; nothing when the flag was not given.
 *
 * Fails: `InputError` when there is no such folder.
 */
export function inputFolder(cwd: string, given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const target = path.resolve(cwd, given);
  requireInputFolder(target, given);
  return target;
}

/** Checks that a file can be written to a path, as far as that can be determined beforehand. Fails: `NotARegularFileError`, and as {@link outputFolder}. */
export function requirePlaceForFile(cwd: string, given: string): void {
  const target = path.resolve(cwd, given);
  if (targetKindSync(target) === "folder") throw new NotARegularFileError(given, "a folder");
  requirePlaceForFolder(cwd, path.dirname(given));
}

/** Checks that a path is a folder, or can become one. Fails: as {@link outputFolder}. */
export function requirePlaceForFolder(cwd: string, given: string): void {
  const target = path.resolve(cwd, given);
  requireFolderOrNothing(target, (folder) => (folder === target ? given : path.relative(cwd, folder)));
}

function requireFolderOrNothing(folder: string, shown: (folder: string) => string): void {
  const kind = targetKindSync(folder);
  if (kind === "folder") return;
  if (kind !== "absent") throw new NotAFolderError(shown(folder));
  if (isDangling(folder)) throw new DanglingLinkError(shown(folder));
  if (path.dirname(folder) !== folder) requireFolderOrNothing(path.dirname(folder), shown);
}
