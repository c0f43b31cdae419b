import type { FieldError } from "@kubescaffold/k8s";

/** A failed check: what is reported, and upstream's sentence, by which the same failure counts once. */
export interface Failure {
  readonly sentence: string;
  readonly error: FieldError;
}

/**
 * Collects the failures of one value against one schema.
 *
 * The count of passed checks decides which branch of `anyOf` and `oneOf` explains a failure best.
 */
export interface SchemaResult {
  readonly failures: Failure[];
  matchCount: number;
}

/** Returns an empty result. */
export function emptyResult(): SchemaResult {
  return { failures: [], matchCount: 0 };
}

/** Adds a failure unless the same sentence is there already. */
export function addFailure(result: SchemaResult, failure: Failure): void {
  if (!result.failures.some((known) => known.sentence === failure.sentence)) {
    result.failures.push(failure);
  }
}

/** Adds failures and count of another result. */
export function mergeResult(result: SchemaResult, other: SchemaResult): void {
  for (const failure of other.failures) {
    addFailure(result, failure);
  }
  result.matchCount += other.matchCount;
}
