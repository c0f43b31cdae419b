import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";

import { extract } from "tar-stream";

/** A file of a package as it is published. */
export interface PackedFile {
  readonly mode: number;
  readonly text: string;
}

/** Reads a tarball of npm: its files by their paths inside the package. */
export async function readTarball(tarball: string): Promise<ReadonlyMap<string, PackedFile>> {
  const files = new Map<string, PackedFile>();
  for await (const entry of createReadStream(tarball).pipe(createGunzip()).pipe(extract())) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    files.set(entry.header.name.replace(/^package\//u, ""), {
      mode: entry.header.mode ?? 0,
      text: Buffer.concat(chunks).toString("utf8"),
    });
  }
  return files;
}
