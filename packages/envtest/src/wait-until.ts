import { setTimeout as delay } from "node:timers/promises";

import { EnvironmentTimeoutError } from "./errors.ts";

/** How long and how often something is asked. */
export interface WaitOptions {
  /** Completes the sentence "gave up waiting for …". */
  readonly what: string;
  readonly timeoutMs: number;
  readonly intervalMs?: number;
}

/**
 * Calls a function until it returns something other than undefined or false, and returns that.
 *
 * Fails: {@link EnvironmentTimeoutError} after `timeoutMs`; what the function itself throws, at once.
 */
export async function waitUntil<T>(probe: () => Promise<T | undefined | false>, options: WaitOptions): Promise<T> {
  const { what, timeoutMs, intervalMs = 100 } = options;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await probe();
    if (result !== undefined && result !== false) return result;
    if (performance.now() + intervalMs > deadline) throw new EnvironmentTimeoutError(what, timeoutMs);
    await delay(intervalMs);
  }
}
