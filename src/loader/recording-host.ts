import { hashText } from "../cache/key.ts";
import type { SourceHost } from "./source-host.ts";

/** One answer of a disk: what was asked about which path, and the answer, or the hash of one that may be long. */
export type Observation = readonly [asked: keyof SourceHost, path: string, answer: string];

/** A disk that keeps what was asked of it. */
export interface RecordingHost {
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
