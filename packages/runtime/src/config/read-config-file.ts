import { readFile } from "node:fs/promises";

import { UnreadableConfigFileError } from "./errors.ts";

/** Reads a file that a config is made of. Fails: {@link UnreadableConfigFileError}, saying what the file is for. */
export async function readConfigFile(path: string, purpose: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new UnreadableConfigFileError(path, { purpose, cause });
  }
}
