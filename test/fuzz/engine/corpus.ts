import type { Random } from "./random.ts";

/** Inputs that each reach a branch, or a number of passes through it, that none before them reached. */
export interface Corpus {
  /** Keeps an input when its counters show something new. */
  readonly consider: (input: string, hits: Uint8Array) => boolean;
  /** Chooses an input, newer ones more often. */
  readonly choose: (random: Random) => string | undefined;
  readonly size: () => number;
  /** Returns the number of branches that were reached. */
  readonly covered: () => number;
}

const MOST_INPUTS = 5000;

/** Makes an empty corpus for a number of counters. */
export function createCorpus(counters: number): Corpus {
  const seen = new Uint8Array(counters);
  const inputs: string[] = [];
  return {
    consider: (input, hits) => {
      const isNew = addBuckets(seen, hits);
      if (isNew && inputs.length < MOST_INPUTS) inputs.push(input);
      return isNew;
    },
    choose: (random) => {
      const from = random(2) === 0 ? Math.max(inputs.length - 20, 0) : 0;
      return inputs[from + random(inputs.length - from)];
    },
    size: () => inputs.length,
    covered: () => seen.reduce((sum, buckets) => sum + (buckets === 0 ? 0 : 1), 0),
  };
}

function addBuckets(seen: Uint8Array, hits: Uint8Array): boolean {
  let isNew = false;
  for (let index = 0; index < hits.length; index++) {
    const count = hits[index] ?? 0;
    if (count === 0) continue;
    const bucket = bucketOf(count);
    const before = seen[index] ?? 0;
    if ((before & bucket) === 0) {
      seen[index] = before | bucket;
      isNew = true;
    }
  }
  return isNew;
}

// One bit for once, twice, a few times, many times, and so on, as AFL counts.
function bucketOf(count: number): number {
  if (count <= 2) return count;
  return 1 << Math.min(Math.floor(Math.log2(count)) + 1, 7);
}
