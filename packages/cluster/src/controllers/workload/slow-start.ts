/** What became of the items that {@link slowStart} worked on. */
export interface SlowStart {
  /** The number of items whose action succeeded. */
  readonly succeeded: number;
  /** The failures of the last batch, which ended the work. */
  readonly failures: readonly unknown[];
}

/**
 * Calls an action for items in batches of 1, 2, 4, and so on, until one of a batch fails: many that fail for the same reason cost little.
 *
 * Guarantees: all items of a batch are tried.
 */
export async function slowStart<T>(
  items: readonly T[],
  action: (item: T) => Promise<unknown>,
  largestBatch: number = Number.POSITIVE_INFINITY,
): Promise<SlowStart> {
  let succeeded = 0;
  for (let first = 0, size = 1; first < items.length; first += size, size = Math.min(2 * size, largestBatch)) {
    const failures: unknown[] = [];
    for (const item of items.slice(first, first + size)) {
      try {
        await action(item);
        succeeded += 1;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) return { succeeded, failures };
  }
  return { succeeded, failures: [] };
}
