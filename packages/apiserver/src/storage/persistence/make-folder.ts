import { mkdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Creates a folder and its missing parents, with a mode (octal 777 unless given) that the umask of the process limits; an existing folder stays as it is.
 *
 * Guarantees: a folder that the file system never creates, such as one below `/proc`, is an error, while Node's recursive call retries forever.
 * Fails: the error of the file system.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const parent = path.dirname(folder);
  if (parent !== folder && statOf(parent) === undefined) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (statOf(folder)?.isDirectory() !== true) throw error;
  }
}

function statOf(file: string): ReturnType<typeof statSync> {
  return statSync(file, { throwIfNoEntry: false });
}
