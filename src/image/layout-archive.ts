import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

import { extract, pack } from "tar-stream";

import { BaseImageError } from "./errors.ts";
import type { LayoutEntry, LayoutFiles } from "./image-layout.ts";

// Zeros shrink to a thousandth: a small archive could fill the memory. The unpacked layout is in memory as a whole.
const MOST_UNPACKED_BYTES = 2 * 1024 ** 3;

/** Reads an archive of a layout, compressed or not. Fails: {@link BaseImageError} when it is damaged, or larger than 2 GiB when it is unpacked. */
export async function readArchive(
  name: string,
  bytes: Uint8Array,
  maxBytes: number = MOST_UNPACKED_BYTES,
): Promise<LayoutFiles> {
  const files = new Map<string, Uint8Array>();
  try {
    const archive = extract();
    const unpacked = isCompressed(bytes)
      ? await promisify(gunzip)(bytes, { maxOutputLength: maxBytes })
      : Buffer.from(bytes);
    Readable.from([unpacked]).pipe(archive);
    for await (const entry of archive) {
      if (entry.header.type === "file") files.set(entry.header.name.replace(/^\.\//u, ""), await buffer(entry));
      else entry.resume();
    }
  } catch (cause) {
    if (cause instanceof RangeError && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE")
      throw tooLarge(name, maxBytes);
    throw new BaseImageError(`cannot build on ${name}: it is neither a folder nor a tar archive`, {
      hint: "create an archive with `skopeo copy docker://IMAGE oci-archive:FILE` or `docker buildx build --output type=oci`",
      cause,
    });
  }
  return { name, read: async (path) => files.get(path) };
}

function tooLarge(name: string, maxBytes: number): BaseImageError {
  return new BaseImageError(
    `cannot build on ${name}: the archive has more than ${String(maxBytes)} bytes when it is unpacked`,
    {
      hint: "unpack the archive into a folder, and use the folder",
    },
  );
}

function isCompressed(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Packs the files of a layout, piece by piece.
 *
 * Guarantees: the same files in the same order and the same time give the same bytes.
 */
export async function* packLayout(entries: AsyncIterable<LayoutEntry>, modifiedAt: Date): AsyncGenerator<Uint8Array> {
  const folders = new Set<string>();
  for await (const { path, bytes } of entries) {
    for (const folder of foldersOf(path)) {
      if (folders.has(folder)) continue;
      folders.add(folder);
      yield* packOne((archive) =>
        archive.entry({ name: `${folder}/`, type: "directory", mode: 0o755, mtime: modifiedAt, uid: 0, gid: 0 }),
      );
    }
    yield* packOne((archive) =>
      archive.entry({ name: path, mode: 0o644, mtime: modifiedAt, uid: 0, gid: 0 }, Buffer.from(bytes)),
    );
  }
  yield new Uint8Array(END_BYTES);
}

const END_BYTES = 1024;

// Every entry is packed by itself, so that no more than one is in memory; the end of its archive is omitted.
async function* packOne(add: (archive: ReturnType<typeof pack>) => unknown): AsyncGenerator<Uint8Array> {
  const archive = pack();
  add(archive);
  archive.finalize();
  const bytes = await buffer(archive);
  yield bytes.subarray(0, bytes.byteLength - END_BYTES);
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
