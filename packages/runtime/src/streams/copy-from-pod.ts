import path from "node:path";
import { Writable } from "node:stream";

import { handledLater } from "@kubescaffold/platform";

import type { ObjectKey } from "../client/client.ts";
import type { RestClient } from "../rest/rest-client.ts";
import { CopyCommands, CopyCounter, type CopyOptions, type CopyResult } from "./copy-command.ts";
import { CopyError } from "./errors.ts";

/** Options of {@link copyFromPod}. */
export interface CopyFromPodOptions extends CopyOptions {
  /** The path of the file or folder in the container. */
  readonly source: string;
  /** The path of the copy on this machine. An existing folder receives the contents of a folder; missing parents are created. */
  readonly target: string;
  /** Called for each symbolic link, none of which is copied. */
  readonly onSkippedLink?: (path: string, linkTarget: string) => void;
}

/**
 * Copies a file or a folder from a container, like `kubectl cp`.
 *
 * The container is not trusted. Symbolic links are skipped, like `kubectl cp` does, and hard links become copies of the file. Permissions are those in the container, less the umask and the bits
 * for other users and groups to run as (setuid, setgid); folders are always accessible to their owner.
 *
 * Guarantees: writes only below `target`, also if links of this machine are there; each file appears with its whole content or not at all; memory does not grow with the size of files.
 * Fails: {@link ArchiveRefusedError} for paths and hard links outside the source, paths through symbolic links, devices, and other special files; {@link CopyError} if the source is missing
 * or the archive is corrupt; the signal's reason; the errors of `exec`. Files that were complete before a failure are kept.
 *
 * @example
 * await copyFromPod(rest, { namespace: "default", name: "web-0" }, { source: "/var/log/app", target: "logs" });
 */
export async function copyFromPod(rest: RestClient, key: ObjectKey, options: CopyFromPodOptions): Promise<CopyResult> {
  const { source, target, signal, onSkippedLink = () => undefined } = options;
  signal?.throwIfAborted();
  if (source === "" || target === "") throw new CopyError(`the ${source === "" ? "source" : "target"} is empty`);
  const commands = new CopyCommands(rest, key, options);
  const counter = new CopyCounter(options);
  const { ArchiveReader } = await import("./archive-reader.ts");
  const reader = new ArchiveReader({ prefix: prefixOf(source), target: path.resolve(target), counter, onSkippedLink });
  const stopped = new AbortController();
  const extracted = handledLater(
    reader.extract().catch((error: unknown) => {
      stopped.abort(error);
      throw error;
    }),
  );
  try {
    await commands.run(["tar", "cf", "-", source.startsWith("-") ? `./${source}` : source], {
      stdout: new Writable({ write: (chunk: Buffer, _encoding, done) => reader.write(chunk, done) }),
      signal: signal === undefined ? stopped.signal : AbortSignal.any([signal, stopped.signal]),
    });
    reader.end();
  } catch (error) {
    reader.destroy();
    await extracted.catch(() => undefined);
    throw error;
  }
  await extracted;
  return counter.result;
}

// The names of tar's archives are relative, and never lead upwards.
function prefixOf(source: string): string {
  const prefix = path.posix
    .normalize(source)
    .replace(/^(?:\.{0,2}\/)+/u, "")
    .replace(/\/$/u, "");
  return prefix === "." || prefix === ".." ? "" : prefix;
}
