import path from "node:path";
import { isDeepStrictEqual } from "node:util";

import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { type Observation, recordHost, stillHolds, textHash } from "../loader/recording-host.ts";
import { createSnapshotHost } from "../loader/snapshot-host.ts";
import { createDiskHost, type SourceHost } from "../loader/source-host.ts";
import type { ByteStore } from "./kept-map.ts";
import { parseGeneratorArguments } from "./parse-arguments.ts";
import { createPlannedHost } from "./planned-host.ts";
import { recallMade } from "./recall-made.ts";
import { recallSources } from "./recall-sources.ts";
import type { GenerateOptions, GenerateResult } from "./run-generators.ts";

/** Keeps one text for each key, from one process to the next. */
export interface RunStore {
  readonly read: (key: string) => string | undefined;
  readonly write: (key: string, text: string) => void;
}

/** Where runs are remembered, and what tells the programs apart whose runs may differ. */
interface RememberedRuns {
  readonly store: RunStore;
  readonly build: string;
  /** Where what sources say is kept and what was made of them, so that what is as it was need be neither parsed nor made again. */
  readonly sources?: ByteStore;
}

/** A run that may be remembered. */
export interface CachedRunOptions extends GenerateOptions {
  /** Without it every run is a run. */
  readonly remembered?: RememberedRuns;
  /** Returns the text of a generated file as it is now; the path is as in {@link GenerateResult.files}. */
  readonly readOutput: (path: string) => string | undefined;
}

/** What a run yields, with the files that are on the disk already. */
export interface CachedRunResult extends GenerateResult {
  /** Files that need not be written, because they are as the run would write them. */
  readonly unchanged: readonly string[];
}

/**
 * Runs generators, or finds that a former run saw the same and that what it made is still there.
 *
 * Guarantees: the outcome is that of a run. A run is remembered by all that it asked of the disk and the hashes of the answers, so nothing has to be
 * known about what it depends on; a run with errors is not remembered.
 */
export async function runGeneratorsCached(options: CachedRunOptions): Promise<CachedRunResult> {
  const { remembered } = options;
  if (remembered === undefined) return { ...(await runAnew(options)), unchanged: [] };
  const host = createSnapshotHost(options.host ?? createDiskHost());
  const key = textHash(JSON.stringify([FORMAT, remembered.build, options.root, options.arguments]));
  const known = parseRecord(remembered.store.read(key));
  if (known !== undefined && isUpToDate(known, options.readOutput, host)) {
    const { stdout, diagnostics } = known;
    return { files: [], unchanged: known.files.map(([file]) => file), stdout, diagnostics };
  }
  const recording = recordHost(host);
  const sources = recallSources(remembered, options.root);
  const made = recallMade(remembered, options);
  const memory = { sources: sources.memory, made: made.memory };
  const result = await runAnew({ ...options, host: recording.host, memory });
  sources.keep();
  made.keep();
  if (isMemorable(result)) {
    const hashes = new Map([...sources.memory.values()].map(({ text, hash }) => [text, hash]));
    const observations = await observeAfter(result, recording.observations(hashes), { ...options, host });
    if (observations !== undefined) remembered.store.write(key, JSON.stringify(recordOf(result, observations)));
  }
  return { ...result, unchanged: [] };
}

// The generators are large, so they are loaded when one runs.
async function runAnew(options: GenerateOptions): Promise<GenerateResult> {
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
  const [before, after] = [host, recording.host].map((each) =>
    listPackages({ host: each, root: path.resolve(root), paths }),
  );
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

const FORMAT = 1;
const LONGEST_STDOUT = 1_000_000;

function recordOf({ files, stdout, diagnostics }: GenerateResult, observations: readonly Observation[]): RunRecord {
  return { observations, files: files.map((file) => [file.path, textHash(file.content)]), stdout, diagnostics };
}

function isMemorable({ diagnostics, stdout, dependsOnMore }: GenerateResult): boolean {
  if (dependsOnMore === true || stdout.length > LONGEST_STDOUT) return false;
  return diagnostics.every((each) => each.severity !== "error");
}

// What another program or a broken disk left there is as good as nothing.
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
  return text === undefined ? undefined : textHash(text);
}
