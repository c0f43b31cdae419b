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
  /** The sentences of the failures, once there are many. */
  sentences?: Set<string>;
  matchCount: number;
}

/** Returns an empty result. */
export function emptyResult(): SchemaResult {
  return { failures: [], matchCount: 0 };
}

const FEW = 8;

/** Adds a failure unless the same sentence is there already. */
export function addFailure(result: SchemaResult, failure: Failure): void {
  const { failures } = result;
  if (failures.length < FEW) {
    if (!failures.some((known) => known.sentence === failure.sentence)) failures.push(failure);
    return;
  }
  result.sentences ??= new Set(failures.map(({ sentence }) => sentence));
  if (result.sentences.has(failure.sentence)) return;
  result.sentences.add(failure.sentence);
  failures.push(failure);
}

/** Adds failures and count of another result. */
export function mergeResult(result: SchemaResult, other: SchemaResult): void {
  for (const failure of other.failures) {
    addFailure(result, failure);
  }
  result.matchCount += other.matchCount;
}
