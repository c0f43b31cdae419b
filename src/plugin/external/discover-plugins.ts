import { type Dirent, existsSync, readdirSync } from "node:fs";
import path from "node:path";

import { isExecutable } from "../../machinery/disk.ts";
import { InvalidPluginKeyError } from "../errors.ts";
import { parsePluginKey } from "../registry.ts";

/** A program that was found where a plugin belongs. */
export interface FoundPlugin {
  readonly key: string;
  readonly executable: string;
}

/** The plugins of a search, and in a sentence each what looked like one and cannot be used. */
export interface Discovery {
  readonly plugins: readonly FoundPlugin[];
  readonly problems: readonly string[];
}

/**
 * Looks for external plugins, which are at `<folder>/<name>/<version>/<program>`; the program has the name of the plugin, or the part
 * of it before the first dot, with any ending.
 *
 * Guarantees: what cannot be used hides nothing else; of two plugins with one key the first folder's counts; nothing is run.
 */
export function discoverPlugins(folders: readonly string[]): Discovery {
  const found = folders.flatMap((folder) => inFolder(folder));
  const plugins = new Map<string, FoundPlugin>();
  for (const each of found) if (typeof each !== "string" && !plugins.has(each.key)) plugins.set(each.key, each);
  return { plugins: [...plugins.values()], problems: found.filter((each) => typeof each === "string") };
}

/** Says of the folder that the user named whether it is missing: of the usual places any may be. */
export function missingFolder(folder: string): string | undefined {
  return existsSync(folder) ? undefined : `the folder of external plugins ${folder} does not exist`;
}

function inFolder(folder: string): readonly (FoundPlugin | string)[] {
  return subfolders(folder).flatMap((name) =>
    subfolders(path.join(folder, name)).map((version) =>
      inVersion(path.join(folder, name, version), { name, version }),
    ),
  );
}

function inVersion(
  folder: string,
  { name, version }: { readonly name: string; readonly version: string },
): FoundPlugin | string {
  const key = `${name}/${version}`;
  try {
    parsePluginKey(key);
  } catch (error) {
    if (error instanceof InvalidPluginKeyError) return `${folder}: ${key} is not a plugin key`;
    throw error;
  }
  const program = list(folder).find((entry) => !entry.isDirectory() && isNamedFor(entry.name, name));
  if (program === undefined) return `${folder}: no program named ${name}`;
  const executable = path.join(folder, program.name);
  return isExecutable(executable) ? { key, executable } : `${executable} is not executable: run chmod +x on it`;
}

function isNamedFor(file: string, plugin: string): boolean {
  const short = plugin.split(".")[0] ?? plugin;
  return file === plugin || file === short || file.startsWith(`${plugin}.`) || file.split(".")[0] === short;
}

function subfolders(folder: string): readonly string[] {
  return list(folder)
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith("."))
    .map((entry) => entry.name);
}

// A folder that is not there has nothing in it.
function list(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    return [];
  }
}
