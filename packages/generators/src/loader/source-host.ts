import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";

import { hashText } from "../cache/key.ts";

/** An entry of a folder. */
export interface DirectoryEntry {
  /** The name within the folder. */
  readonly name: string;
  /** Whether the entry is a file, a folder, or something else, such as a pipe. */
  readonly kind: "file" | "directory" | "other";
}

/** The disk as the loader sees it; paths are absolute. */
export interface SourceHost {
  /** Returns the text of a file, undefined when it cannot be read. */
  readonly readFile: (path: string) => string | undefined;
  /** Lists a folder sorted by name, undefined when it is none. */
  readonly listDirectory: (path: string) => readonly DirectoryEntry[] | undefined;
  /** Says what is at a path. */
  readonly kindOf: (path: string) => "file" | "directory" | "missing";
  /** Returns the path without links. */
  readonly realPath: (path: string) => string;
}

/** Makes the host that reads the real disk. Fails: with the error of the system when it has a fault, or nothing left to read with. */
export function createDiskHost(): SourceHost {
  return {
    readFile: (path) => attempt(() => readFileSync(path, "utf8").replace(/^\uFEFF/u, "")),
    listDirectory: (path) => attempt(() => listSorted(path)),
    kindOf: (path) => attempt(() => kindOfPath(path)) ?? "missing",
    realPath: (path) => attempt(() => realpathSync(path)) ?? path,
  };
}

function listSorted(path: string): readonly DirectoryEntry[] {
  return readdirSync(path, { withFileTypes: true })
    .map((entry): DirectoryEntry => ({
      name: entry.name,
      kind: entry.isFile() ? "file" : entry.isDirectory() ? "directory" : "other",
    }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

// Pipes and devices are no files, since reading one may never end.
function kindOfPath(path: string): "file" | "directory" | "missing" {
  const stats = statSync(path);
  if (stats.isDirectory()) return "directory";
  return stats.isFile() ? "file" : "missing";
}

// What fails now may be there the next time: to go on without it would generate something else, or delete what was generated.
const FAULTS = new Set(["EIO", "EMFILE", "ENFILE", "ENOMEM", "EBUSY", "ESTALE", "EAGAIN"]);

// What is missing or forbidden is an answer here; the caller reports it with the path that the user gave.
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error && FAULTS.has(String(error.code))) throw error;
    return undefined;
  }
}

/** Caches the results of a disk, so that all callers see the same state and each read happens once. */
export function createSnapshotHost(disk: SourceHost): SourceHost {
  return {
    readFile: askOnce((path) => disk.readFile(path)),
    listDirectory: askOnce((path) => disk.listDirectory(path)),
    kindOf: askOnce((path) => disk.kindOf(path)),
    realPath: askOnce((path) => disk.realPath(path)),
  };
}

function askOnce<T>(ask: (path: string) => T): (path: string) => T {
  const answers = new Map<string, T>();
  return (path) => {
    if (!answers.has(path)) answers.set(path, ask(path));
    return answers.get(path) as T;
  };
}

/** One answer of a disk: what was asked about which path, and the answer, or the hash of one that may be long. */
export type Observation = readonly [asked: keyof SourceHost, path: string, answer: string];

/** A disk that keeps what was asked of it. */
interface RecordingHost {
  readonly host: SourceHost;
  /** Returns every question asked so far with its answer, each once; hashes of texts that are known need not be recomputed. */
  readonly observations: (knownHashes?: ReadonlyMap<string, string>) => readonly Observation[];
}

/** Lays a record over a disk: what depends on nothing but the answers stays true for as long as they stay the same. */
export function recordHost(disk: SourceHost): RecordingHost {
  const seen = new Map<string, readonly [asked: keyof SourceHost, path: string, answer: unknown]>();
  const note = <T>(asked: keyof SourceHost, path: string, answer: T): T => {
    const key = `${asked} ${path}`;
    if (!seen.has(key)) seen.set(key, [asked, path, answer]);
    return answer;
  };
  return {
    host: {
      readFile: (path) => note("readFile", path, disk.readFile(path)),
      listDirectory: (path) => note("listDirectory", path, disk.listDirectory(path)),
      kindOf: (path) => note("kindOf", path, disk.kindOf(path)),
      realPath: (path) => note("realPath", path, disk.realPath(path)),
    },
    observations: (knownHashes) =>
      [...seen.values()].map(([asked, path, answer]) => [asked, path, digest(answer, knownHashes)] as const),
  };
}

/** Reports whether a disk still gives the answers that were recorded. */
export function stillHolds(observations: readonly Observation[], disk: SourceHost): boolean {
  return observations.every(([asked, path, answer]) => digest(disk[asked](path)) === answer);
}

function digest(answer: unknown, knownHashes?: ReadonlyMap<string, string>): string {
  if (answer === undefined) return "";
  if (typeof answer === "string")
    return answer.length < 28 ? `=${answer}` : (knownHashes?.get(answer) ?? hashText(answer));
  return hashText(JSON.stringify(answer));
}
