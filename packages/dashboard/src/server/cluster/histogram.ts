/** The cumulative counts of a histogram by the upper bounds of its buckets in seconds, the last of which is infinite. */
export type Buckets = ReadonlyMap<number, number>;

/** Returns what a histogram counted after an earlier state; everything, if it started again in between. */
export function bucketsSince(now: Buckets, before: Buckets | undefined): Buckets {
  if (before === undefined || countOf(now) < countOf(before)) return now;
  return new Map([...now].map(([bound, count]) => [bound, Math.max(0, count - (before.get(bound) ?? 0))]));
}

/** Adds histograms; of those with other bounds, the bounds that all of them have. */
export function addBuckets(histograms: readonly Buckets[]): Buckets {
  const [first = new Map<number, number>(), ...others] = histograms.filter((each) => countOf(each) > 0);
  return new Map(
    [...first]
      .filter(([bound]) => others.every((each) => each.has(bound)))
      .map(([bound, count]) => [bound, others.reduce((sum, each) => sum + (each.get(bound) ?? 0), count)]),
  );
}

/** Returns the number of observations. */
export function countOf(buckets: Buckets): number {
  return buckets.get(Number.POSITIVE_INFINITY) ?? 0;
}

/**
 * Estimates a quantile, from 0 to 1, in seconds, as Prometheus' function `histogram_quantile` does: observations are spread evenly in their bucket, and those
 * beyond the largest bound are at that bound. Returns undefined without observations.
 */
export function quantileOf(buckets: Buckets, quantile: number): number | undefined {
  const total = countOf(buckets);
  if (!(total > 0)) return undefined;
  const rank = quantile * total;
  let lower = 0;
  let below = 0;
  for (const [bound, count] of [...buckets].toSorted(([left], [right]) => left - right)) {
    if (count >= rank) {
      if (bound === Number.POSITIVE_INFINITY) return lower;
      return count === below ? bound : lower + ((bound - lower) * (rank - below)) / (count - below);
    }
    lower = bound;
    below = count;
  }
  return lower;
}
