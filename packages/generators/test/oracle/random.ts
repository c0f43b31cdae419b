/** Random choices that one seed determines. */
export interface Random {
  /** A number from 0 up to but not including 1. */
  readonly next: () => number;
  /** An integer between both bounds, which count too. */
  readonly whole: (smallest: number, largest: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** Some of the items, in their order. */
  readonly some: <Item>(items: readonly Item[], most: number) => readonly Item[];
  /** As many results as drawn between both bounds. */
  readonly many: <Item>(fewest: number, most: number, make: (index: number) => Item) => readonly Item[];
}

/** Makes a source of random choices (mulberry32): the same seed gives the same choices on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (smallest: number, largest: number): number => smallest + Math.floor(next() * (largest - smallest + 1));
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[whole(0, items.length - 1)];
    if (item === undefined && items.length === 0) throw new RangeError("nothing to pick from");
    return item as Item;
  };
  return {
    next,
    whole,
    pick,
    chance: (probability) => next() < probability,
    some: (items, most) => {
      const count = whole(0, Math.min(most, items.length));
      const chosen = new Set<number>();
      while (chosen.size < count) chosen.add(whole(0, items.length - 1));
      return items.filter((_, index) => chosen.has(index));
    },
    many: (fewest, most, make) => Array.from({ length: whole(fewest, most) }, (_, index) => make(index)),
  };
}
