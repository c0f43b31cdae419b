import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import path from "node:path";

import type { ObjectKey } from "../client/client.ts";
import type { RestClient } from "../rest/rest-client.ts";
import { CopyCommands, CopyCounter, type CopyOptions, type CopyResult } from "./copy-command.ts";
import { CopyError } from "./errors.ts";

/** Options of {@link copyToPod}. */
export interface CopyToPodOptions extends CopyOptions {
  /** The file or folder on this machine. */
  readonly source: string;
  /** The path in the container. If it is a folder, the source is copied into it; otherwise, the source gets this name. */
  readonly target: string;
  /** Gives the files the user and the default permissions of the container. Default: false, which keeps owners (if the container runs as root) and permissions. */
  readonly noPreserve?: boolean;
}

/**
 * Copies a file or a folder to a container, like `kubectl cp`.
 *
 * Guarantees: memory does not grow with the size of files; a file or a folder that is not in the container yet appears with its whole content or not at all. A folder that is there already is
 * merged, like `kubectl cp` does, and an interrupted merge can leave one incomplete file. Symbolic links are copied as such.
 * Fails: {@link CopyError} if the source is missing or has a file of another type, such as a socket, or if a command failed; the signal's reason; the errors of `exec`.
 *
 * @example
 * await copyToPod(rest, { namespace: "default", name: "web-0" }, { source: "dist", target: "/srv/www" });
 */
export async function copyToPod(rest: RestClient, key: ObjectKey, options: CopyToPodOptions): Promise<CopyResult> {
  const { source, noPreserve = false, signal } = options;
  signal?.throwIfAborted();
  await stat(source).catch((cause: unknown) => {
    throw new CopyError(`${source} does not exist on this machine`, { cause });
  });
  if (options.target === "") throw new CopyError("the target is empty");
  const commands = new CopyCommands(rest, key, options);
  const counter = new CopyCounter(options);
  const given = path.posix.normalize(options.target);
  const isFolder = await commands.isDirectory(given, signal);
  const target = isFolder ? path.posix.join(given, path.basename(path.resolve(source))) : given.replace(/\/$/u, "");
  const merges = isFolder && (await commands.isDirectory(target, signal));
  const name = path.posix.basename(target);
  const staged = merges ? name : `.${randomBytes(8).toString("hex")}.partial`;
  const folder = path.posix.dirname(target);
  const { archiveOf } = await import("./archive-writer.ts");
  const preserve = noPreserve ? ["--no-same-permissions", "--no-same-owner"] : [];
  try {
    await commands.run(["tar", ...preserve, "-xmf", "-", "-C", asPath(folder)], {
      stdin: archiveOf(source, { name: staged, counter }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (!merges) await commands.run(moveTo(folder, { staged, name }), signal === undefined ? {} : { signal });
  } catch (error) {
    if (!merges) await removeStaged(commands, asPath(path.posix.join(folder, staged)));
    throw error;
  }
  return counter.result;
}

// No option of mv refuses a target that became a folder in the meantime, on all systems.
function moveTo(folder: string, { staged, name }: { readonly staged: string; readonly name: string }): string[] {
  return ["mv", "-f", asPath(path.posix.join(folder, staged)), asPath(path.posix.join(folder, name))];
}

const CLEANUP_TIMEOUT_MS = 10_000;

// The connection, or the Pod, may be gone, so leftovers have a random name.
async function removeStaged(commands: CopyCommands, staged: string): Promise<void> {
  await commands.run(["rm", "-rf", staged], { signal: AbortSignal.timeout(CLEANUP_TIMEOUT_MS) }).catch(() => undefined);
}

// A path that begins with a hyphen is not an option.
function asPath(text: string): string {
  return text.startsWith("-") ? `./${text}` : text;
}
