import { once } from "node:events";
import { createReadStream, type Stats } from "node:fs";
import { lstat, opendir, readlink } from "node:fs/promises";
import path from "node:path";

import { type Header, pack } from "tar-stream";

import type { CopyCounter } from "./copy-command.ts";
import { CopyError } from "./errors.ts";

/** Options of {@link archiveOf}. */
interface ArchiveOptions {
  /** The name of the source in the archive. */
  readonly name: string;
  readonly counter: CopyCounter;
}

interface Entry {
  readonly name: string;
  /** The path of the entry relative to the source. */
  readonly relative: string;
  readonly counter: CopyCounter;
}

/** Returns a tar archive of a file or a folder; it is read from the disk no faster than it is consumed. */
export async function* archiveOf(source: string, { name, counter }: ArchiveOptions): AsyncGenerator<Uint8Array> {
  yield* entriesOf(source, { name, relative: "", counter });
  yield Buffer.alloc(2 * BLOCK_BYTES);
}

async function* entriesOf(source: string, { name, relative, counter }: Entry): AsyncGenerator<Uint8Array> {
  const stats = await lstat(source);
  const header = { name, ...ownerOf(stats) };
  if (stats.isDirectory()) {
    yield await encode({ ...header, name: `${name}/`, type: "directory" });
    for await (const { name: child } of await opendir(source)) {
      const entry = { name: `${name}/${child}`, relative: path.posix.join(relative, child), counter };
      yield* entriesOf(path.join(source, child), entry);
    }
  } else if (stats.isSymbolicLink()) {
    yield await encode({ ...header, type: "symlink", linkname: await readlink(source) });
  } else if (stats.isFile()) {
    yield await encode({ ...header, type: "file", size: stats.size });
    yield* contentOf(source, { size: stats.size, relative, counter });
  } else {
    throw new CopyError(`${source} is neither a file, nor a folder, nor a symbolic link`);
  }
}

async function* contentOf(
  source: string,
  { size, relative, counter }: { readonly size: number; readonly relative: string; readonly counter: CopyCounter },
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  // The header announces the size, so that what is appended meanwhile is left out.
  if (size > 0) {
    const chunks = createReadStream(source, { end: size - 1, highWaterMark: CHUNK_BYTES });
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      yield chunk;
      bytes += chunk.length;
      counter.addBytes(relative, chunk.length);
    }
  }
  if (bytes < size) throw new CopyError(`${source} became smaller while it was read`);
  if (size % BLOCK_BYTES > 0) yield Buffer.alloc(BLOCK_BYTES - (size % BLOCK_BYTES));
  counter.addFile(relative);
}

const BLOCK_BYTES = 512;
const CHUNK_BYTES = 128 * 1024;
const PERMISSIONS = 0o7777;

function ownerOf(stats: Stats): Pick<Header, "mode" | "uid" | "gid" | "mtime"> {
  return { mode: stats.mode & PERMISSIONS, uid: stats.uid, gid: stats.gid, mtime: stats.mtime };
}

// The content is sent without the library, whose archives are not limited by their reader while entries are empty.
async function encode(header: Partial<Header> & Pick<Header, "name">): Promise<Uint8Array> {
  const archive = pack();
  archive.on("error", () => undefined);
  archive.entry(header).on("error", () => undefined);
  await once(archive, "readable");
  const blocks: Buffer[] = [];
  for (let block = archive.read() as Buffer | null; block !== null; block = archive.read() as Buffer | null) {
    blocks.push(block);
  }
  archive.destroy();
  return Buffer.concat(blocks);
}
