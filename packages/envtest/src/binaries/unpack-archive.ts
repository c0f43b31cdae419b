import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import path from "node:path";
import { pipeline, Readable, Transform } from "node:stream";
import { pipeline as pipelineDone } from "node:stream/promises";
import { createGunzip } from "node:zlib";

import { messageOf } from "@kubescaffold/k8s";
import { extract } from "tar-stream";

import { DownloadError } from "../failures/errors.ts";
import { diskFailure } from "./binary-store.ts";
import type { ReleaseArchive } from "./release-index.ts";

/** Checks the bytes of an archive. Fails: {@link DownloadError} when their hash is not that of the index. */
export function verifyHash({ url, sha512 }: ReleaseArchive, bytes: Uint8Array): void {
  const actual = createHash("sha512").update(bytes).digest("hex");
  if (actual === sha512) return;
  throw new DownloadError(`cannot use ${url}: its SHA-512 is ${actual}, but the index has ${sha512}`, {
    hint: "download it again later; a proxy or mirror may have changed it",
  });
}

/**
 * Unpacks a compressed tar archive into a folder, and returns the names of the files.
 *
 * Only regular files are unpacked, by base name: the folders in archives have changed over time, and no path can escape.
 * Fails: {@link DownloadError} when the archive is damaged or too large, or the files cannot be written.
 */
export async function unpackArchive(
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  folder: string,
): Promise<readonly string[]> {
  const names: string[] = [];
  const archive = extract();
  archive.on("entry", (header, stream, next) => {
    const name = path.posix.basename(header.name);
    if (header.type !== "file" || name === "" || name.startsWith(".")) {
      stream.resume();
      stream.on("end", next);
      return;
    }
    names.push(name);
    const mode = (header.mode ?? 0) & 0o555;
    pipeline(stream, createWriteStream(path.join(folder, name), { mode: mode === 0 ? 0o555 : mode }), next);
  });
  try {
    await pipelineDone(Readable.from(source), createGunzip(), limitLength(), archive);
  } catch (cause) {
    if (cause instanceof DownloadError) throw cause;
    if (cause instanceof Error && "syscall" in cause) throw diskFailure("write to", folder, cause);
    throw new DownloadError(`cannot unpack the archive of binaries: ${messageOf(cause)}`, {
      cause,
      hint: "use a complete .tar.gz file of kube-apiserver, etcd, and kubectl",
    });
  }
  return names;
}

// Zeros shrink to a thousandth: a small archive could fill a disk.
const MOST_UNPACKED_BYTES = 4 * 1024 ** 3;

function limitLength(): Transform {
  let length = 0;
  return new Transform({
    transform: (part: Uint8Array, _, done) => {
      length += part.byteLength;
      const isTooLong = length > MOST_UNPACKED_BYTES;
      done(isTooLong ? new DownloadError("cannot unpack the archive of binaries: it is too large") : null, part);
    },
  });
}
