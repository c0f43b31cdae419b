import { createHash } from "node:crypto";
import path from "node:path";

import { makeFolder, replaceFile } from "@kubescaffold/platform/files";

import { cacheFolder } from "../binaries/cache-folder.ts";
import { StandInError } from "../failures/errors.ts";
import type { StandInName } from "./scripts.ts";

/**
 * Writes stand-ins into a folder, by default one in the user's cache whose name depends on their contents, and returns the folder.
 *
 * Several processes can write at the same time. Fails: {@link StandInError} on Windows, and for a folder that cannot be written.
 */
export async function writeStandIns(
  scripts: Readonly<Record<StandInName, string>>,
  {
    directory,
    platform = process.platform,
    env = process.env,
  }: {
    readonly directory?: string | undefined;
    readonly platform?: NodeJS.Platform;
    readonly env?: Readonly<Record<string, string | undefined>>;
  } = {},
): Promise<string> {
  if (platform === "win32") {
    throw new StandInError("cannot write stand-ins on Windows: they are shell scripts", {
      hint: "use WSL, or run `npx scaffold apiserver` and connect to it",
    });
  }
  const folder = path.resolve(directory ?? path.join(cacheFolder("stand-ins", env), hashOf(scripts)));
  try {
    makeFolder(folder);
    // A program that is running, or about to run, keeps its file.
    await Promise.all(
      Object.entries(scripts).map(([name, text]) => replaceFile(path.join(folder, name), text, { mode: 0o755 })),
    );
  } catch (error) {
    throw new StandInError(`cannot write stand-ins into ${folder}: ${(error as Error).message}`, {
      cause: error,
      hint: "pass a writable folder with --directory",
    });
  }
  return folder;
}

function hashOf(scripts: Readonly<Record<StandInName, string>>): string {
  return createHash("sha256").update(JSON.stringify(scripts)).digest("hex").slice(0, 16);
}
