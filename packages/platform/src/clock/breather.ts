const LONGEST_TURN_MS = 10;

/**
 * Returns a function to await between the steps of long work: it lets timers and requests run when 10 ms have passed.
 *
 * Guarantees: the real time counts, so that tests with another clock do not block either.
 */
export function createBreather(): () => Promise<void> | undefined {
  let turnStartedAt = performance.now();
  return () => {
    if (performance.now() - turnStartedAt < LONGEST_TURN_MS) {
      return undefined;
    }
    return new Promise((resolve) => {
      setImmediate(() => {
        turnStartedAt = performance.now();
        resolve();
      });
    });
  };
}

/** Changes each item of a long list, and returns the results. Guarantees: does not block the event loop, as {@link createBreather}. */
export async function eachInTurns<T, R>(items: readonly T[], change: (item: T) => R): Promise<readonly R[]> {
  const breathe = createBreather();
  const changed: R[] = [];
  for (const item of items) {
    changed.push(change(item));
    const pause = breathe();
    if (pause !== undefined) await pause;
  }
  return changed;
}
