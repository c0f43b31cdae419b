import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a store is read by an index that it does not have.
 *
 * Fix: Add the index to the indexers of the store, or fix its name.
 */
export class MissingStoreIndexError extends ScaffoldError {
  readonly code = "CACHE_STORE_NO_INDEX";

  constructor(name: string, known: readonly string[]) {
    super(`the store has no index ${JSON.stringify(name)}`, {
      hint: `add it to the indexers; available indexes: ${known.toSorted().join(", ") || "none"}`,
    });
  }
}

/**
 * Thrown when the next item of a queue is awaited that is closed and empty.
 *
 * Fix: Stop taking items when this error is thrown.
 *
 * client-go: tools/cache.ErrFIFOClosed
 */
export class FifoClosedError extends ScaffoldError {
  readonly code = "CACHE_FIFO_CLOSED";

  constructor() {
    super("cannot take an item: the queue is closed");
  }
}
