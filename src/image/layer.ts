import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";

import { pack } from "tar-stream";

import { type Content, createContent, digestOf } from "./descriptor.ts";
import { OCI_LAYER_GZIP } from "./media-type.ts";

/** A file of a layer; its path is absolute. */
export interface LayerFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A layer, compressed, and the digest of what is inside. */
export interface Layer {
  readonly content: Content;
  readonly diffId: string;
}

/**
 * Packs files, which belong to root and anyone may read, into a layer.
 *
 * Guarantees: the same files and time give the same bytes, in whatever order the files come.
 */
export async function createLayer(files: readonly LayerFile[], modifiedAt: Date): Promise<Layer> {
  const archive = pack();
  const owned = { uid: 0, gid: 0, mtime: modifiedAt };
  for (const name of foldersOf(files)) archive.entry({ ...owned, name: `${name}/`, type: "directory", mode: 0o755 });
  for (const { path, bytes } of sorted(files))
    archive.entry({ ...owned, name: path.slice(1), mode: 0o644 }, Buffer.from(bytes));
  archive.finalize();
  const tar = await buffer(archive);
  return { content: createContent(compress(tar), OCI_LAYER_GZIP), diffId: digestOf(tar) };
}

function sorted(files: readonly LayerFile[]): readonly LayerFile[] {
  return files.toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

function foldersOf(files: readonly LayerFile[]): readonly string[] {
  const folders = new Set<string>();
  for (const { path } of files) {
    const parts = path.split("/").slice(1, -1);
    for (const index of parts.keys()) folders.add(parts.slice(0, index + 1).join("/"));
  }
  return [...folders].toSorted();
}

const OS_FIELD = 9;
const UNKNOWN_OS = 255;

// The header has no time and no name as zlib writes it, but it tells which system wrote it.
function compress(bytes: Uint8Array): Uint8Array {
  const compressed = gzipSync(bytes, { level: 9 });
  compressed[OS_FIELD] = UNKNOWN_OS;
  return compressed;
}
