import { setMaxListeners } from "node:events";

/**
 * Calls back once when a signal aborts, immediately if it already has.
 *
 * Guarantees: calling the returned function removes the listener; any number of listeners causes no warning.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) {
    return () => undefined;
  }
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  // Node 20 warns about more than ten listeners, and every open request adds one.
  setMaxListeners(0, signal);
  // A separate listener, since the same callback may be registered twice and removed once.
  const listener = (): void => callback();
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}

/**
 * Waits for a promise that others may share.
 *
 * Fails: with the signal's reason when the signal aborts first; the work goes on.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) {
    return await work;
  }
  let stopListening = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stopListening = onAbort(signal, () => reject(signal.reason as Error));
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    stopListening();
  }
}

/** Resolves when a signal aborts, immediately if it already has. */
export async function whenAborted(signal: AbortSignal): Promise<undefined> {
  return await new Promise((resolve) => {
    onAbort(signal, () => resolve(undefined));
  });
}
