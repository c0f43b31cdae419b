import path from "node:path";
import { isDeepStrictEqual } from "node:util";

import { parseGeneratorArguments } from "../arguments/parse-arguments.ts";
import { hashText } from "../cache/key.ts";
import { type ByteStore, readMap, readMemo, writeMap } from "../cache/memo.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceMemory } from "../loader/load-types.ts";
import {
  type Observation,
  recordHost,
  stillHolds,
  createSnapshotHost,
  createDiskHost,
  type SourceHost,
} from "../loader/source-host.ts";
import { createPlannedHost } from "./planned-host.ts";
import type { GenerateOptions, GenerateResult } from "./run-generators.ts";

/** Stores one text per key across processes. */
export interface RunStore {
  /** Returns the text for a key, or undefined if there is none. */
  readonly read: (key: string) => string | undefined;
  /** Stores the text for a key. */
  readonly write: (key: string, text: string) => void;
}

/** The stores of cached runs, and the build of the program, which is part of every key. */
export interface CacheLocation {
  /** Stores the results of runs. */
  readonly runs: RunStore;
  /** The build of the program, which is part of every key. */
  readonly build: string;
  /** Stores parsed sources and generated parts, so that a run parses and generates only what changed. */
  readonly sources?: ByteStore;
}

/** A run that may be answered from the cache. */
export interface CachedRunOptions extends GenerateOptions {
  /** Where runs are cached; without it the generators always run. */
  readonly cache?: CacheLocation;
  /** Returns the current text of a generated file; the path is as in {@link GenerateResult.files}. */
  readonly readOutput: (path: string) => string | undefined;
}

/** The result of a run, with the generated files that need no writing. */
export interface CachedRunResult extends GenerateResult {
  /** Files whose current text is what the run would write. */
  readonly unchanged: readonly string[];
}

/**
 * Runs generators unless an earlier run with the same inputs wrote the files that are there.
 *
 * Guarantees: the result is that of a run. The key of a run is every question that it asked of the disk with the hash of the answer, so its inputs need
 * no list; a run with errors is not cached.
 */
export async function runGeneratorsCached(options: CachedRunOptions): Promise<CachedRunResult> {
  const { cache, root, arguments: words, kubernetesVersion, checksReleases = false } = options;
  if (cache === undefined) return { ...(await runUncached(options)), unchanged: [] };
  const host = createSnapshotHost(options.host ?? createDiskHost());
  const key = hashText(JSON.stringify([RUN_FORMAT, cache.build, root, words, kubernetesVersion, checksReleases]));
  const cached = parseRecord(cache.runs.read(key));
  if (cached !== undefined && isUpToDate(cached, options.readOutput, host)) {
    const { stdout, diagnostics } = cached;
    return { files: [], unchanged: cached.files.map(([file]) => file), stdout, diagnostics };
  }
  const recording = recordHost(host);
  const sources = readSources(cache, root);
  const parts = readMemo(
    cache.sources,
    hashText(JSON.stringify(["parts", PARTS_FORMAT, cache.build, root, words, kubernetesVersion])),
  );
  const caches = { sources: sources.memory, parts: parts.memo };
  const result = await runUncached({ ...options, host: recording.host, caches });
  sources.save();
  parts.save();
  if (isCacheable(result)) {
    const hashes = new Map([...sources.memory.values()].map(({ text, hash }) => [text, hash]));
    const observations = await observeAfter(result, recording.observations(hashes), { ...options, host });
    if (observations !== undefined) cache.runs.write(key, JSON.stringify(recordOf(result, observations)));
  }
  return { ...result, unchanged: [] };
}

// The generators are large, so they are loaded when one runs.
async function runUncached(options: GenerateOptions): Promise<GenerateResult> {
  const { runGenerators } = await import("./run-generators.ts");
  return await runGenerators(options);
}

/**
 * Returns what the same run would see once its files are written, or nothing when it might then make other files.
 *
 * New folders show up in the listings that sources are found by; as long as the same sources are found, nothing else has changed for the run.
 */
async function observeAfter(
  { files }: GenerateResult,
  observations: readonly Observation[],
  { root, host, arguments: words }: GenerateOptions & { readonly host: SourceHost },
): Promise<readonly Observation[] | undefined> {
  const written = createPlannedHost(root, files, host);
  // What the files leave alone is answered by the host itself, which gives the same answer twice.
  const changed = observations.filter(
    (each) => written[each[0]](each[1]) !== host[each[0]](each[1]) && !stillHolds([each], written),
  );
  if (changed.length === 0) return observations;
  const { listPackages } = await import("../loader/list-packages.ts");
  const { paths } = parseGeneratorArguments(words);
  const recording = recordHost(written);
  const [before, after] = [host, recording.host].map((each) => listPackages(each, path.resolve(root), paths));
  if (!isDeepStrictEqual(before, after)) return undefined;
  const seen = recording.observations();
  const isSeen = ([asked, where]: Observation): boolean => seen.some((each) => each[0] === asked && each[1] === where);
  if (!changed.every((each) => isSeen(each))) return undefined;
  return [...observations.filter((each) => !changed.includes(each)), ...seen];
}

function isUpToDate({ observations, files }: RunRecord, readOutput: ReadOutput, host: SourceHost): boolean {
  return stillHolds(observations, host) && files.every(([file, hash]) => hashOf(readOutput(file)) === hash);
}

type ReadOutput = CachedRunOptions["readOutput"];

interface RunRecord {
  readonly observations: readonly Observation[];
  readonly files: readonly (readonly [path: string, hash: string])[];
  readonly stdout: string;
  readonly diagnostics: readonly Diagnostic[];
}

// Raised when the form of an entry changes.
const RUN_FORMAT = 2;
const SOURCES_FORMAT = 2;
const PARTS_FORMAT = 2;
const LONGEST_STDOUT = 1_000_000;

function recordOf({ files, stdout, diagnostics }: GenerateResult, observations: readonly Observation[]): RunRecord {
  return { observations, files: files.map((file) => [file.path, hashText(file.content)]), stdout, diagnostics };
}

function isCacheable({ diagnostics, stdout, dependsOnMore }: GenerateResult): boolean {
  if (dependsOnMore === true || stdout.length > LONGEST_STDOUT) return false;
  return diagnostics.every((each) => each.severity !== "error");
}

// A record that is damaged or written by another program is ignored.
function parseRecord(text: string | undefined): RunRecord | undefined {
  if (text === undefined) return undefined;
  try {
    const record = JSON.parse(text) as Partial<RunRecord>;
    const isWhole =
      Array.isArray(record.observations) &&
      Array.isArray(record.files) &&
      Array.isArray(record.diagnostics) &&
      typeof record.stdout === "string";
    return isWhole ? (record as RunRecord) : undefined;
  } catch {
    return undefined;
  }
}

function hashOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : hashText(text);
}

/** The cached sources of a project. */
interface CachedSources {
  readonly memory: SourceMemory;
  /** Stores the sources that were used since, when they changed. */
  readonly save: () => void;
}

// Far above the sources of any API; a larger set is parsed every time.
const MOST_CHARACTERS = 16_000_000;

/**
 * Reads the cached sources of a project; the key of a source is its whole text.
 *
 * Guarantees: entries of another build of the program are not used; without a store, nothing is read or stored.
 */
export function readSources(
  { build, sources: store }: Pick<CacheLocation, "build" | "sources">,
  root: string,
): CachedSources {
  if (store === undefined) return { memory: new Map(), save: () => undefined };
  const key = hashText(JSON.stringify(["sources", SOURCES_FORMAT, build, root]));
  const cached: SourceMemory = readMap(store, key);
  const memory = new UsedSources(cached);
  return {
    memory,
    save: () => {
      const used = memory.used();
      const isSame = used.size === cached.size && [...used].every(([file, source]) => cached.get(file) === source);
      if (!isSame && sizeOf(used) <= MOST_CHARACTERS) writeMap(store, key, used);
    },
  };
}

/** Records which sources are used, so that those of deleted files are dropped. */
class UsedSources extends Map<string, NonNullable<ReturnType<SourceMemory["get"]>>> {
  readonly #used = new Set<string>();

  override get(file: string): ReturnType<SourceMemory["get"]> {
    this.#used.add(file);
    return super.get(file);
  }

  used(): SourceMemory {
    return new Map([...this].filter(([file]) => this.#used.has(file)));
  }
}

function sizeOf(sources: SourceMemory): number {
  return [...sources.values()].reduce((size, { text }) => size + text.length, 0);
}
