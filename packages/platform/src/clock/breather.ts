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
