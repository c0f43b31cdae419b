import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { createGunzip, gzipSync } from "node:zlib";

import { extract, pack } from "tar-stream";

import { readSource } from "../architecture/source-files.ts";

/** A template of the program, and words of it that the newer version says otherwise. */
export interface NewWords {
  readonly template: string;
  readonly from: string;
  readonly to: string;
}

interface Versions {
  readonly present: string;
  readonly newer: string;
  readonly words: readonly NewWords[];
}

/** Packs the packages of a folder into another, as if they were released again: under a newer version, with other words in their templates. */
export async function packNewerVersion(from: string, to: string, versions: Versions): Promise<void> {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    const tarball = await repack(path.join(from, name), versions);
    writeFileSync(path.join(to, name.replace(versions.present, versions.newer)), tarball);
  }
}

async function repack(tarball: string, versions: Versions): Promise<Buffer> {
  const output = pack();
  const packed = buffer(output);
  for await (const entry of createReadStream(tarball).pipe(createGunzip()).pipe(extract())) {
    const { name, mode } = entry.header;
    output.entry({ name, ...(mode === undefined ? {} : { mode }) }, changed(name, await buffer(entry), versions));
  }
  output.finalize();
  return gzipSync(await packed);
}

function changed(name: string, content: Buffer, { present, newer, words }: Versions): Buffer {
  if (name === "package/package.json") return Buffer.from(content.toString().replaceAll(`"${present}"`, `"${newer}"`));
  if (name !== "package/dist/program.cjs") return content;
  return Buffer.from(signed(words.reduce(withWords, content.toString("latin1"))), "latin1");
}

function withWords(program: string, { template, from, to }: NewWords): string {
  if (!readSource(template).includes(from) || !program.includes(from))
    throw new TypeError(`the program has no "${from}" of ${template}`);
  return program.replaceAll(from, to);
}

// The last line tells V8's caches of two builds apart.
function signed(program: string): string {
  const text = program.slice(0, program.lastIndexOf("//"));
  return `${text}//${createHash("sha256").update(text).digest("hex")}\n`;
}
