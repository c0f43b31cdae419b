import type { SourceMemory } from "../loader/load-types.ts";
import { textHash } from "../loader/recording-host.ts";
import { type ByteStore, keepMap, readKeptMap } from "./kept-map.ts";

/** What sources of a project said when they were read last. */
export interface RecalledSources {
  readonly memory: SourceMemory;
  /** Keeps what was used since, when it is not what was kept before. */
  readonly keep: () => void;
}

const FORMAT = 2;
// Far above the sources of any API; what is larger is read anew each time.
const MOST_CHARACTERS = 16_000_000;

/**
 * Recalls what the sources of a project said; each is known by its whole text.
 *
 * Guarantees: what another build of the program kept is not used; without a store, nothing is recalled and nothing kept.
 */
export function recallSources(
  { build, sources: store }: { readonly build: string; readonly sources?: ByteStore },
  root: string,
): RecalledSources {
  if (store === undefined) return { memory: new Map(), keep: () => undefined };
  const key = textHash(JSON.stringify(["sources", FORMAT, build, root]));
  const known: SourceMemory = readKeptMap(store, key);
  const memory = new UsedSources(known);
  return {
    memory,
    keep: () => {
      const used = memory.used();
      const isSame = used.size === known.size && [...used].every(([file, source]) => known.get(file) === source);
      if (!isSame && sizeOf(used) <= MOST_CHARACTERS) keepMap(store, key, used);
    },
  };
}

/** Remembers which sources were asked for, so that those that are gone are forgotten. */
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
