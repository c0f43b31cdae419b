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
