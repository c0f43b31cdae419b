import { readFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";

import { extract, type Header } from "tar-stream";

/** A descriptor as it is in a manifest. */
export interface FoundDescriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly artifactType?: string;
  readonly platform?: { readonly os: string; readonly architecture: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A manifest or index as it is in a layout. */
export interface FoundManifest {
  readonly mediaType: string;
  readonly artifactType?: string;
  readonly config: FoundDescriptor;
  readonly layers: readonly FoundDescriptor[];
  readonly manifests: readonly FoundDescriptor[];
  readonly subject?: FoundDescriptor;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A configuration as it is in a layout. */
export interface FoundConfig {
  readonly os: string;
  readonly architecture: string;
  readonly created: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly rootfs: { readonly diff_ids: readonly string[] };
  readonly history: readonly Readonly<Record<string, string>>[];
}

/** Reads the bytes that a digest names in a layout's folder. */
export function readBlob(layout: string, digest: string): Buffer {
  return readFileSync(path.join(layout, "blobs", digest.replace(":", "/")));
}

/** Reads the JSON that a digest names in a layout's folder. */
export function readJsonBlob<Value>(layout: string, digest: string): Value {
  return JSON.parse(readBlob(layout, digest).toString("utf8")) as Value;
}

/** Reads what the index of a layout names. */
export function readIndex(layout: string): readonly FoundDescriptor[] {
  return (JSON.parse(readFileSync(path.join(layout, "index.json"), "utf8")) as FoundManifest).manifests;
}

/** A file of an archive. */
export interface Unpacked {
  readonly header: Header;
  readonly bytes: Buffer;
}

/** Unpacks an archive, compressed or not. */
export async function unpack(bytes: Buffer): Promise<ReadonlyMap<string, Unpacked>> {
  const archive = extract();
  Readable.from([bytes[0] === 0x1f ? gunzipSync(bytes) : bytes]).pipe(archive);
  const files = new Map<string, Unpacked>();
  for await (const entry of archive) files.set(entry.header.name, { header: entry.header, bytes: await buffer(entry) });
  return files;
}
