import { callSignal } from "../log/call-scope.ts";

/** Options of {@link parallelizeUntil}. */
export interface ParallelizeOptions {
  /** The number of calls at once. */
  readonly workers: number;
  /** Starts no further call when it aborts. Default: the signal of the current reconcile. */
  readonly signal?: AbortSignal;
}

/**
 * Calls a function with each number from 0 to `pieces - 1`, a few at once, such as one call for each of many objects.
 *
 * Guarantees: calls start in order; after a failure or the abort of the signal no further call starts, and those in progress are waited for.
 * Fails: `TypeError` if `workers` is NaN; with the error of the call that failed, with an `AggregateError` if several calls did, or with the signal's reason.
 *
 * client-go: util/workqueue.ParallelizeUntil
 *
 * @example
 * await workqueue.parallelizeUntil(pods.length, async (index) => await client.delete(pods[index]), { workers: 16 });
 */
export async function parallelizeUntil(
  pieces: number,
  work: (piece: number) => Promise<unknown>,
  options: ParallelizeOptions,
): Promise<void> {
  const signal = callSignal(options.signal);
  const failures: unknown[] = [];
  let next = 0;
  const runWorker = async (): Promise<void> => {
    const mayGoOn = (): boolean => failures.length === 0 && signal?.aborted !== true;
    while (next < pieces && mayGoOn()) {
      const piece = next;
      next += 1;
      try {
        await work(piece);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  if (Number.isNaN(options.workers)) throw new TypeError("workers is NaN; pass the number of calls at once");
  const workers = Math.min(pieces, Math.max(1, options.workers));
  await Promise.all(Array.from({ length: workers }, runWorker));
  if (failures.length > 0) {
    throw failures.length === 1 ? failures[0] : new AggregateError(failures, `${String(failures.length)} calls failed`);
  }
  if (next < pieces) signal?.throwIfAborted();
}
