import { mkdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Creates a folder and its missing parents, with a mode that the umask of the process limits, and returns those that it created, outermost first;
 * an existing folder stays as it is.
 *
 * Guarantees: a folder that the file system never creates, such as one below `/proc`, is an error, while Node's recursive call retries forever.
 * Fails: the error of the file system.
 */
export function makeFolder(folder: string, mode = 0o777): readonly string[] {
  const parent = path.dirname(folder);
  const made = parent === folder || isThere(parent) ? [] : makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
    return [...made, folder];
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return made;
    throw error;
  }
}

function isThere(target: string): boolean {
  return statSync(target, { throwIfNoEntry: false }) !== undefined;
}
