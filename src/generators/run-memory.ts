import type { SourceMemory } from "../loader/load-types.ts";
import { MadeMemory } from "./made-memory.ts";

/** What is kept between runs; it is never wrong, whatever changes between two of them. */
export interface RunMemory {
  readonly sources: SourceMemory;
  readonly made: MadeMemory;
}

/** What is kept between the runs of one process. */
export interface ProcessMemory extends RunMemory {
  /** The texts of the files that were generated last, by path. */
  readonly written: Map<string, string>;
}

/** Makes an empty memory. */
export function createProcessMemory(): ProcessMemory {
  return { sources: new Map(), made: new MadeMemory(), written: new Map() };
}
