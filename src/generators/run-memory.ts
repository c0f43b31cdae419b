import type { SourceMemory } from "../loader/load-types.ts";

/** What is kept between the runs of one process; it is never wrong, whatever changes between two runs. */
export interface RunMemory {
  readonly sources: SourceMemory;
}

/** Makes an empty memory. */
export function createRunMemory(): RunMemory {
  return { sources: new Map() };
}
