import { Memo } from "../cache/memo.ts";
import type { SourceMemory } from "../loader/load-types.ts";

/** The caches of one run; they stay valid whatever changes between two runs. */
export interface RunCaches {
  /** Parsed sources by path. */
  readonly sources: SourceMemory;
  /** Generated parts by all of their inputs. */
  readonly parts: Memo;
}

/** The caches that the runs of one process share. */
export interface ProcessCaches extends RunCaches {
  /** The texts of the files that were generated last, by path. */
  readonly written: Map<string, string>;
}

/** Returns empty caches for the runs of one process. */
export function createProcessCaches(): ProcessCaches {
  return { sources: new Map(), parts: new Memo(), written: new Map() };
}
