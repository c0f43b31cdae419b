import { setMaxListeners } from "node:events";

/**
 * Calls back once when a signal aborts, at once if it already has.
 *
 * Guarantees: after the returned function is called nothing of the callback is kept; any number of listeners is no warning.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) {
    return () => undefined;
  }
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  // Node 20 warns of more than ten listeners, and every open request is one.
  setMaxListeners(0, signal);
  // A listener of its own: the same callback may be given twice and called off once.
  const listener = (): void => callback();
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}
