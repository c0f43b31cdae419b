interface Range {
  readonly first: number;
  readonly last: number;
}

/**
 * A set of indexes of a Job, such as `1,3-5`.
 *
 * Guarantees: its memory and time depend on the number of ranges, not on the number of indexes, of which a Job may have 2,147,483,647.
 */
export class JobIndexes {
  static readonly none: JobIndexes = new JobIndexes([]);

  // Ascending, with a gap between each two.
  readonly #ranges: readonly Range[];
  /** The number of indexes. */
  readonly size: number;

  private constructor(ranges: readonly Range[]) {
    this.#ranges = ranges;
    this.size = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  }

  /** Reads indexes; those from `completions` on do not count, and neither do parts that are not indexes. */
  static parse(text: string, completions: number): JobIndexes {
    const ranges = text.split(",").flatMap((part): readonly Range[] => {
      const [, first, last = first] = /^(\d+)(?:-(\d+))?$/u.exec(part) ?? [];
      return first === undefined ? [] : [{ first: Number(first), last: Math.min(Number(last), completions - 1) }];
    });
    return new JobIndexes(merged(ranges));
  }

  /** Returns these indexes and others. */
  with(indexes: Iterable<number>): JobIndexes {
    const added = [...indexes].map((index) => ({ first: index, last: index }));
    return added.length === 0 ? this : new JobIndexes(merged([...this.#ranges, ...added]));
  }

  /** Returns the indexes of both sets. */
  union(other: JobIndexes): JobIndexes {
    return new JobIndexes(merged([...this.#ranges, ...other.#ranges]));
  }

  /** Reports whether an index is in the set. */
  has(index: number): boolean {
    return (this.#ranges[this.#firstEndingFrom(index)]?.first ?? Infinity) <= index;
  }

  /** Returns how many indexes are in both sets. */
  countIn(other: JobIndexes): number {
    let count = 0;
    let position = 0;
    for (const { first, last } of this.#ranges) {
      position = Math.max(position, other.#firstEndingFrom(first));
      for (let range = other.#ranges[position]; range !== undefined && range.first <= last;) {
        count += Math.min(last, range.last) - Math.max(first, range.first) + 1;
        if (range.last > last) break;
        position += 1;
        range = other.#ranges[position];
      }
    }
    return count;
  }

  /** Returns the first indexes below `completions` that are not in the set. */
  firstMissing({ count, completions }: { readonly count: number; readonly completions: number }): readonly number[] {
    const missing: number[] = [];
    let next = 0;
    for (const { first, last } of [...this.#ranges, { first: completions, last: completions }]) {
      for (; next < Math.min(first, completions) && missing.length < count; next += 1) missing.push(next);
      next = last + 1;
    }
    return missing;
  }

  /** Prints the indexes as the status of a Job has them: three or more in a row as a range, ascending. */
  toString(): string {
    return this.#ranges
      .map(({ first, last }) =>
        first === last ? String(first) : `${String(first)}${last === first + 1 ? "," : "-"}${String(last)}`,
      )
      .join(",");
  }

  // The position of the first range whose last index is not below this one.
  #firstEndingFrom(index: number): number {
    let [low, high] = [0, this.#ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ranges[middle]?.last ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function merged(ranges: readonly Range[]): readonly Range[] {
  const result: { first: number; last: number }[] = [];
  for (const { first, last } of ranges.toSorted((left, right) => left.first - right.first)) {
    const former = result.at(-1);
    if (last < first) continue;
    if (former !== undefined && first <= former.last + 1) former.last = Math.max(former.last, last);
    else result.push({ first, last });
  }
  return result;
}
