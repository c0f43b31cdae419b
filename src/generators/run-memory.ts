import type { SourceMemory } from "../loader/load-types.ts";
import type { CrdMemory } from "./crd-memory.ts";

/** What is kept between the runs of one process; it is never wrong, whatever changes between two runs. */
export interface RunMemory {
  readonly sources: SourceMemory;
  /** The texts of the files that were generated last, by path. */
  readonly written: Map<string, string>;
  /** The CRDs of the last run, when nothing was found wrong in it. */
  crds: CrdMemory | undefined;
}

/** Makes an empty memory. */
export function createRunMemory(): RunMemory {
  return { sources: new Map(), written: new Map(), crds: undefined };
}
