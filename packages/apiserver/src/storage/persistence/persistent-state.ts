import { closeSync, fsyncSync, ftruncateSync, rmSync } from "node:fs";
import path from "node:path";

import { type GroupResource, messageOf, StatusError, checkNumbers } from "@kubescaffold/k8s";
import { makeFolder } from "@kubescaffold/platform/files";

import type { ApiObject } from "../api-object.ts";
import type { StoreEvent } from "../object-reader.ts";
import { type Store, type StoreJournal, type StoreSnapshot, tableName } from "../store.ts";
import {
  currentFiles,
  openLog,
  pathOf,
  readStateFile,
  type StateFile,
  writeAll,
  type WriteBytes,
  writeSnapshot,
  writeSnapshotInBackground,
} from "./state-files.ts";
import { lockState, requireUnlocked } from "./state-lock.ts";
import { printRecord, type StateRecord } from "./state-record.ts";
import { readStateMinor, recordMinor } from "./state-version.ts";

/** Options of {@link PersistentState}. */
export interface PersistentStateOptions {
  /** The minor version of Kubernetes of the server. */
  readonly minor: string;
  /** The least size of the logs, in bytes, at which a snapshot replaces them. Default: 4 MiB. */
  readonly compactionBytes?: number;
  /** Receives the error of a snapshot that could not be written; the logs go on. Default: prints it on standard error. */
  readonly reportFailure?: (error: unknown) => void;
  /** Writes bytes of the log from an offset on, and returns their number. Default: `fs.writeSync`. */
  readonly write?: WriteBytes;
}

const COMPACTION_BYTES = 4 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/**
 * Keeps the contents of a store in a folder: a snapshot, and a log of the writes after it.
 *
 * Guarantees: a write is in the log before the store applies it, so that a process that is killed at any time loses nothing that
 * a client was told; a write that the disk refuses is not applied. After a power failure, writes of the last seconds may be
 * missing, since the log is not synchronized with the disk before it is closed. One server uses a folder at a time.
 */
export class PersistentState implements StoreJournal {
  readonly folder: string;
  /** The minor version of Kubernetes of the state that the folder contained; undefined if it contained none. */
  readonly restoredMinor: string | undefined;
  readonly #store: Store;
  readonly #unlock: () => void;
  readonly #compactionBytes: number;
  readonly #reportFailure: (error: unknown) => void;
  readonly #write: WriteBytes | undefined;
  readonly #closing = new AbortController();
  #generation: number;
  #descriptor: number;
  // Of the log that is open; what is beyond it was refused by the disk.
  #logBytes: number;
  #olderLogBytes: number;
  #snapshotBytes: number;
  #compaction: Promise<void> | undefined;

  /**
   * Loads what a folder contains into a store that is still empty, and records its writes from then on; creates the folder.
   *
   * Fails: `StateLockedError`, `CorruptStateError`, `NewerStateError`, or with the error of the disk.
   */
  constructor(folder: string, store: Store, options: PersistentStateOptions) {
    checkNumbers("the stored state", options, { compactionBytes: "duration" });
    this.folder = folder;
    this.#store = store;
    this.#compactionBytes = options.compactionBytes ?? COMPACTION_BYTES;
    this.#reportFailure = options.reportFailure ?? printFailure;
    this.#write = options.write;
    // The objects include Secrets.
    makeFolder(path.resolve(folder), 0o700);
    this.#unlock = lockState(folder);
    try {
      const { minor } = options;
      const { records, files, bytes } = readFolder(folder);
      this.restoredMinor = records.length > 0 ? readStateMinor(folder, minor) : undefined;
      if (records.length > 0) load(store, records);
      recordMinor(folder, minor);
      const last = files.at(-1);
      const isLog = last?.kind === "log";
      this.#generation = last?.generation ?? 1;
      this.#descriptor = openLog(folder, this.#generation);
      this.#logBytes = isLog ? (bytes.at(-1) ?? 0) : 0;
      ftruncateSync(this.#descriptor, this.#logBytes);
      this.#snapshotBytes = files[0]?.kind === "snapshot" ? (bytes[0] ?? 0) : 0;
      this.#olderLogBytes = sum(bytes) - this.#snapshotBytes - this.#logBytes;
    } catch (error) {
      this.#unlock();
      throw error;
    }
    store.recordIn(this);
  }

  get #logPath(): string {
    return pathOf(this.folder, { kind: "log", generation: this.#generation });
  }

  /** Records a write. Fails: with 500 when the disk refuses it; the log is as before then. */
  append({ groupResource, key, revision, kind, object }: StoreEvent): void {
    const line = printRecord({ groupResource, key, revision, object: kind === "deleted" ? undefined : object });
    const bytes = Buffer.from(line);
    try {
      writeAll(this.#descriptor, bytes, this.#write);
    } catch (error) {
      ftruncateSync(this.#descriptor, this.#logBytes);
      throw notRecorded(this.#logPath, error);
    }
    this.#logBytes += bytes.length;
    this.#compactIfLarge();
  }

  /** Records that the store was restored to a snapshot. */
  replaceAll(snapshot: StoreSnapshot, revision: number): void {
    this.#startLog();
    const file: StateFile = { kind: "snapshot", generation: this.#generation };
    this.#snapshotBytes = writeSnapshot(this.folder, file, chunksOf(snapshot, revision));
    this.#removeBefore(file);
  }

  /** Resolves when no snapshot is being written. */
  async idle(): Promise<void> {
    await this.#compaction;
  }

  /** Ends the recording, synchronizes the log with the disk, and releases the folder. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#store.recordIn(undefined);
    if (this.#compaction !== undefined) await this.#compaction;
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
    this.#unlock();
  }

  // A snapshot is written when it is no larger than the logs that it replaces, so that each byte is written about twice.
  #compactIfLarge(): void {
    const logs = this.#olderLogBytes + this.#logBytes;
    if (this.#compaction !== undefined || logs < Math.max(this.#compactionBytes, this.#snapshotBytes)) return;
    this.#compaction = this.#compact().finally(() => {
      this.#compaction = undefined;
    });
  }

  async #compact(): Promise<void> {
    // The write that led here is applied after it is recorded; the snapshot must contain it.
    await Promise.resolve();
    try {
      if (this.#closing.signal.aborted) return;
      const [snapshot, revision] = [this.#store.snapshot(), this.#store.revision];
      this.#startLog();
      const file: StateFile = { kind: "snapshot", generation: this.#generation };
      const chunks = chunksOf(snapshot, revision);
      const { signal } = this.#closing;
      this.#snapshotBytes = await writeSnapshotInBackground(this.folder, file, { chunks, signal });
      this.#removeBefore(file);
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#reportFailure(error);
    }
  }

  // Writes from now on go to a log of the next generation.
  #startLog(): void {
    const previous = this.#descriptor;
    this.#generation += 1;
    this.#descriptor = openLog(this.folder, this.#generation);
    closeSync(previous);
    this.#olderLogBytes += this.#logBytes;
    this.#logBytes = 0;
  }

  #removeBefore({ generation }: StateFile): void {
    this.#olderLogBytes = 0;
    for (let older = generation - 1; older > 0; older -= 1) {
      const paths = (["snapshot", "log"] as const).map((kind) => pathOf(this.folder, { kind, generation: older }));
      for (const each of paths) rmSync(each, { force: true });
    }
  }
}

/**
 * Loads what a folder contains into the store of a server of a minor version, which is still empty; writes nothing. Returns the minor version of the state,
 * undefined if there is none.
 *
 * Fails: `StateLockedError` while a server uses the folder, `CorruptStateError`, and `NewerStateError`.
 */
export function loadState(folder: string, store: Store, serverMinor: string): string | undefined {
  requireUnlocked(folder);
  const { records } = readFolder(folder);
  if (records.length === 0) return undefined;
  const minor = readStateMinor(folder, serverMinor);
  load(store, records);
  return minor;
}

function printFailure(error: unknown): void {
  process.stderr.write(`cannot write a snapshot of the embedded API server: ${String(error)}\n`);
}

interface FolderContents {
  readonly files: readonly StateFile[];
  /** The size of the complete records of each file. */
  readonly bytes: readonly number[];
  readonly records: readonly StateRecord[];
}

function readFolder(folder: string): FolderContents {
  const files = currentFiles(folder);
  const contents = files.map((file, index) =>
    readStateFile(folder, file, file.kind === "log" && index === files.length - 1),
  );
  return { files, bytes: contents.map(({ bytes }) => bytes), records: contents.flatMap(({ records }) => records) };
}

function load(store: Store, records: readonly StateRecord[]): void {
  const tables = new Map<string, { readonly groupResource: GroupResource; readonly objects: Map<string, ApiObject> }>();
  let revision = 0;
  for (const { groupResource, key, object, revision: written } of records) {
    revision = Math.max(revision, written);
    const name = tableName(groupResource);
    if (object === undefined) {
      tables.get(name)?.objects.delete(key);
      continue;
    }
    const table = tables.get(name) ?? { groupResource, objects: new Map<string, ApiObject>() };
    tables.set(name, table);
    table.objects.set(key, object);
  }
  const contents = [...tables].map(
    ([name, { groupResource, objects }]) =>
      [name, { groupResource, contents: { objects, keys: [...objects.keys()].sort() } }] as const,
  );
  store.load({ tables: new Map(contents) }, revision);
}

// The first record has the revision, which may be that of a delete.
function* recordsOf({ tables }: StoreSnapshot, revision: number): Generator<StateRecord> {
  yield { groupResource: { group: "", resource: "" }, key: "", revision, object: undefined };
  for (const { groupResource, contents } of tables.values()) {
    for (const [key, object] of contents.objects) {
      yield { groupResource, key, revision: Number(object.metadata.resourceVersion), object };
    }
  }
}

function* chunksOf(snapshot: StoreSnapshot, revision: number): Generator<Buffer> {
  let text = "";
  for (const record of recordsOf(snapshot, revision)) {
    text += printRecord(record);
    if (text.length < CHUNK_BYTES) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(text);
}

function notRecorded(file: string, cause: unknown): StatusError {
  const message = `cannot record the write in ${file}: ${messageOf(cause)}`;
  return new StatusError({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, code: 500 });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
