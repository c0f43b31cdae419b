/** Returns the indexes of the values that a list contains before, in the time that its length takes: the lists of requests have any length. */
export function repeatedIndexes(values: readonly (number | string)[]): ReadonlySet<number> {
  const seen = new Set<number | string>();
  const repeated = new Set<number>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) repeated.add(index);
    seen.add(value);
  }
  return repeated;
}
