import type { Clock } from "../clock/clock.ts";

const INITIAL_MS = 800;
const LONGEST_MS = 30_000;
const FACTOR = 2;
const JITTER = 1;
const RESET_AFTER_MS = 120_000;

/** Returns how long to wait before the next try: 0.8 s doubling up to 30 s, up to twice that at random, from the start again every 2 minutes. */
export function createReflectorBackoff(clock: Clock, random: () => number): () => number {
  let nextMs = INITIAL_MS;
  let resetAt = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    if (now - resetAt > RESET_AFTER_MS) {
      nextMs = INITIAL_MS;
      resetAt = now;
    }
    const delayMs = nextMs;
    nextMs = Math.min(nextMs * FACTOR, LONGEST_MS);
    return delayMs * (1 + random() * JITTER);
  };
}
