import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { open, rename } from "node:fs/promises";
import path from "node:path";

import { CorruptStateError } from "./errors.ts";
import { parseRecords, type StateRecord } from "./state-record.ts";

/** The mode of files, which contain Secrets. */
const MODE = 0o600;
// A link that somebody put into the folder is not followed; Windows has no such flag.
const { O_APPEND, O_CREAT, O_WRONLY } = constants;
const NO_LINKS = process.platform === "win32" ? 0 : constants.O_NOFOLLOW;
/** The ending of a file that is being written; a server removes those of an earlier run. */
const DRAFT = ".draft";
const NAME = /^(?<kind>snapshot|log)-(?<generation>\d+)\.jsonl$/u;

/** A file of a state folder. */
export interface StateFile {
  readonly kind: "snapshot" | "log";
  /** A log continues the snapshot and the logs of lower generations. */
  readonly generation: number;
}

/** Returns the path of a file. */
export function pathOf(folder: string, { kind, generation }: StateFile): string {
  return path.join(folder, `${kind}-${String(generation)}.jsonl`);
}

/** Lists the files that make up the state, in their order: the last complete snapshot, and the logs from its generation on. Removes all others. */
export function currentFiles(folder: string): readonly StateFile[] {
  const names = readdirSync(folder);
  for (const name of names) if (name.endsWith(DRAFT)) rmSync(path.join(folder, name), { force: true });
  const files = names.flatMap((name) => fileOf(name)).toSorted((left, right) => left.generation - right.generation);
  const snapshot = files.findLast(({ kind }) => kind === "snapshot");
  const start = snapshot?.generation ?? 0;
  for (const file of files) if (file.generation < start) rmSync(pathOf(folder, file), { force: true });
  const logs = files.filter(({ kind, generation }) => kind === "log" && generation >= start);
  return snapshot === undefined ? logs : [snapshot, ...logs];
}

function fileOf(name: string): readonly StateFile[] {
  const { kind, generation } = NAME.exec(name)?.groups ?? {};
  return kind === "snapshot" || kind === "log" ? [{ kind, generation: Number(generation) }] : [];
}

/** Opens the log of a generation to append records; creates it if absent. */
export function openLog(folder: string, generation: number): number {
  return openSync(pathOf(folder, { kind: "log", generation }), O_APPEND | O_CREAT | O_WRONLY | NO_LINKS, MODE);
}

/** What a file contains. */
export interface StateFileContents {
  readonly records: readonly StateRecord[];
  /** The number of bytes of its complete records. */
  readonly bytes: number;
}

/** Reads a file. Fails: {@link CorruptStateError} with the line; only the last log may end with an incomplete record. */
export function readStateFile(folder: string, file: StateFile, isLastLog: boolean): StateFileContents {
  const name = pathOf(folder, file);
  const bytes = readFileSync(name);
  const { records, completeBytes, corruptLine } = parseRecords(bytes);
  if (corruptLine !== undefined) throw new CorruptStateError(`${name}:${String(corruptLine)}`, "not a valid record");
  if (completeBytes < bytes.length && !isLastLog) {
    throw new CorruptStateError(`${name}:${String(records.length + 1)}`, "the record is incomplete");
  }
  return { records, bytes: completeBytes };
}

/** Writes a snapshot at once. It replaces nothing until it is complete on the disk. Returns its size in bytes. */
export function writeSnapshot(folder: string, file: StateFile, chunks: Iterable<Buffer>): number {
  return replaceFile(pathOf(folder, file), chunks);
}

/** Writes a file of a state, which replaces a former one once it is complete on the disk. Returns its size in bytes. */
export function replaceFile(name: string, chunks: Iterable<Buffer>): number {
  const draft = openSync(name + DRAFT, "wx", MODE);
  let bytes = 0;
  try {
    for (const chunk of chunks) {
      writeAll(draft, chunk);
      bytes += chunk.length;
    }
    fsyncSync(draft);
  } finally {
    closeSync(draft);
  }
  renameSync(name + DRAFT, name);
  return bytes;
}

/** Does the same without blocking the event loop; stops without a snapshot when the signal is aborted. */
export async function writeSnapshotInBackground(
  folder: string,
  file: StateFile,
  { chunks, signal }: { readonly chunks: Iterable<Buffer>; readonly signal: AbortSignal },
): Promise<number> {
  const name = pathOf(folder, file);
  const draft = await open(name + DRAFT, "wx", MODE);
  let bytes = 0;
  try {
    for (const chunk of chunks) {
      signal.throwIfAborted();
      await draft.writeFile(chunk);
      bytes += chunk.length;
    }
    await draft.sync();
  } finally {
    await draft.close();
  }
  signal.throwIfAborted();
  await rename(name + DRAFT, name);
  return bytes;
}

/** Writes bytes from an offset on to a file that is open, and returns how many. */
export type WriteBytes = (descriptor: number, bytes: Buffer, offset: number) => number;

/** Writes all bytes to a file that is open. */
export function writeAll(descriptor: number, bytes: Buffer, write: WriteBytes = writeSync): void {
  let written = 0;
  while (written < bytes.length) written += write(descriptor, bytes, written);
}
