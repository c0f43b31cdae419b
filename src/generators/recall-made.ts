import { textHash } from "../loader/recording-host.ts";
import { type ByteStore, keepMap, readKeptMap } from "./kept-map.ts";
import { MadeMemory } from "./made-memory.ts";

/** What former runs of the same arguments made. */
export interface RecalledMade {
  readonly memory: MadeMemory;
  /** Keeps what is known now, when it is not what was kept before. */
  readonly keep: () => void;
}

const FORMAT = 1;
// Beyond this it is faster to make all of it anew.
const MOST_ENTRIES = 100_000;

/**
 * Recalls what runs of a project made, each part by all that it was made from.
 *
 * Guarantees: what another build of the program kept is not used; without a store, nothing is recalled and nothing kept.
 */
export function recallMade(
  { build, sources: store }: { readonly build: string; readonly sources?: ByteStore },
  { root, arguments: words }: { readonly root: string; readonly arguments: readonly string[] },
): RecalledMade {
  if (store === undefined) return { memory: new MadeMemory(), keep: () => undefined };
  const key = textHash(JSON.stringify(["made", FORMAT, build, root, words]));
  const kept = readKeptMap(store, key);
  const memory = new MadeMemory(kept);
  return {
    memory,
    keep: () => {
      if (memory.known !== kept && memory.known.size <= MOST_ENTRIES) keepMap(store, key, memory.known);
    },
  };
}
