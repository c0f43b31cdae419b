import { rmdirSync } from "node:fs";

import { makeFolder } from "@kubescaffold/platform/files";

import { diskFailure } from "../../machinery/disk-failure.ts";

/**
 * Creates a folder and its missing parents, and works in it. After a failure, those that it created and nothing was written to are removed.
 *
 * Fails: `DiskError` when the folder cannot be created, and as the work.
 */
export async function inNewFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const made = createFolder(folder);
  try {
    return await work();
  } catch (error) {
    removeEmpty(made);
    throw error;
  }
}

function createFolder(folder: string): readonly string[] {
  try {
    return makeFolder(folder);
  } catch (error) {
    throw diskFailure(error, { what: `create the folder ${folder}`, outcome: "nothing was written" });
  }
}

function removeEmpty(folders: readonly string[]): void {
  try {
    for (const folder of folders.toReversed()) rmdirSync(folder);
  } catch {
    // It has files: those are kept.
  }
}
