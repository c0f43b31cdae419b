/** Returns a number of at least 0 and less than the limit. */
export type Random = (limit: number) => number;

/** Makes a generator of numbers ("mulberry32"): the same numbers for the same seed. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(limit, 1);
  };
}

/** Chooses one of some values. */
export function choose<T>(values: readonly [T, ...T[]], random: Random): T {
  return values[random(values.length)] ?? values[0];
}
