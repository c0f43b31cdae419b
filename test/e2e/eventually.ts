import { setTimeout as delay } from "node:timers/promises";

// Only tells a test that makes progress from one that hangs; no machine is that slow.
const LIVENESS_MS = 120_000;
const INTERVAL_MS = 50;

/** Looks again and again until something is there, and fails with what was expected when it never is. An error ends the wait. */
export async function eventually<T>(
  look: () => Promise<T | undefined> | T | undefined,
  expected: () => string,
): Promise<T> {
  const end = performance.now() + LIVENESS_MS;
  while (performance.now() < end) {
    const found = await look();
    if (found !== undefined) return found;
    await delay(INTERVAL_MS);
  }
  throw new Error(`waited in vain for ${expected()}`);
}
