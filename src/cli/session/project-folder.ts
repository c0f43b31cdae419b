import { readFileSync, statSync } from "node:fs";
import path from "node:path";

import { pathKindSync, targetKindSync } from "../../machinery/disk.ts";
import type { Flag, FlagValues } from "../../plugin/flag.ts";
import { detectPackageManager, type PackageManager } from "../../project/package-manager.ts";
import { PROJECT_FILE } from "../../project/project-config.ts";
import type { Invocation } from "../command/command.ts";

/**
 * Returns the folder of the project that a folder is in: the nearest one upward that has a PROJECT file, as git finds its repository; the folder
 * itself when there is none.
 *
 * A PROJECT file above is only used when it and its folder belong to the current user, so that nobody plants one in a shared folder such as `/tmp`.
 */
export function projectFolder(folder: string): string {
  if (hasProject(folder)) return folder;
  for (let above = path.dirname(folder); above !== path.dirname(above); above = path.dirname(above))
    if (hasProject(above)) return isOwn(above) && isOwn(path.join(above, PROJECT_FILE)) ? above : folder;
  return folder;
}

function hasProject(folder: string): boolean {
  return pathKindSync(path.join(folder, PROJECT_FILE)) === "file";
}

// Windows has no such number: folders of other users are not writable there.
function isOwn(target: string): boolean {
  const user = process.getuid?.();
  return user === undefined || statSync(target).uid === user;
}

/** Returns the package manager of a folder, or the one that started this program where the folder shows none. */
export function packageManagerIn(folder: string): PackageManager {
  return detectPackageManager({
    read: (file) => readQuietly(path.join(folder, file)),
    exists: (file) => pathKindSync(path.join(folder, file)) === "file",
    userAgent: process.env["npm_config_user_agent"],
  });
}

// Commands that need the file say what is wrong with it.
function readQuietly(file: string): string | undefined {
  // Reading a pipe would wait for a writer.
  if (targetKindSync(file) !== "file") return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** The folder that a command was started in, and the one that it works in. */
export interface Folders {
  readonly from: string;
  readonly to: string;
}

/** Returns flags whose relative paths are those of one folder, with the paths of the other. */
export function rebaseFlags(flags: FlagValues, known: readonly Flag[], folders: Folders): FlagValues {
  const paths = new Set(known.filter(({ isPath }) => isPath === true).map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(flags).map(([name, value]) => {
      if (!paths.has(name) || value === undefined || typeof value === "boolean") return [name, value];
      return [name, typeof value === "string" ? rebase(value, folders) : value.map((each) => rebase(each, folders))];
    }),
  );
}

/** Returns inputs of a command line whose relative paths are those of one folder, with the paths of the other; addresses and `-` stay. */
export function rebaseInputs(words: readonly string[], folders: Folders): readonly string[] {
  return words.map((word) => rebase(word, folders));
}

function rebase(given: string, { from, to }: Folders): string {
  if (given === "" || given === "-" || path.isAbsolute(given) || /^[a-z][\w+.-]+:/iu.test(given)) return given;
  return path.relative(to, path.resolve(from, given)) || ".";
}

/** Returns a path of the project as it is printed: relative to the folder that the user is in. */
export function shownPath({ cwd, startedIn = cwd }: Pick<Invocation, "cwd" | "startedIn">, file: string): string {
  if (startedIn === cwd || path.isAbsolute(file)) return file;
  return path.relative(startedIn, path.join(cwd, file)).replaceAll(path.sep, "/");
}
