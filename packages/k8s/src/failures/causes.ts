import { isInstance } from "./thrown-value.ts";

/**
 * Iterates over an error and its causes, parents first: the errors of an `AggregateError`, then the `cause`. Causes may be any values.
 *
 * Guarantees: it ends and throws nothing, also for errors that cause themselves or each other, chains of any length (it yields at most 1000 values), and
 * causes that cannot be read.
 *
 * Go: `errors.Is` and `errors.As`, which follow `Unwrap`.
 */
export function* causesOf(error: unknown): Generator<unknown, void, undefined> {
  const seen = new Set<unknown>();
  const pending: unknown[] = [error];
  while (pending.length > 0 && seen.size < MOST_CAUSES) {
    const each = pending.pop();
    if (seen.has(each)) continue;
    seen.add(each);
    yield each;
    pending.push(...partsOf(each).toReversed());
  }
}

/** Returns the first of the causes of an error that is an instance of a class, or the error itself if it is one. */
export function findCause<T>(error: unknown, errorClass: abstract new (...parameters: never[]) => T): T | undefined {
  if (isInstance(error, errorClass)) return error;
  for (const each of causesOf(error)) {
    if (isInstance(each, errorClass)) return each;
  }
  return undefined;
}

/** Returns the last cause of an error, which has none itself: that of the first error of an `AggregateError`. */
export function rootCauseOf(error: unknown): unknown {
  const seen = new Set<unknown>();
  let root = error;
  while (seen.size < MOST_CAUSES) {
    seen.add(root);
    const [next] = partsOf(root);
    if (next === undefined || seen.has(next)) break;
    root = next;
  }
  return root;
}

// Retries may wrap each failure in the next one.
const MOST_CAUSES = 1000;

function partsOf(error: unknown): readonly unknown[] {
  if (!isInstance(error, Error)) return [];
  try {
    const { cause } = error;
    const errors: unknown = error instanceof AggregateError ? error.errors : [];
    return [...(Array.isArray(errors) ? errors.slice(0, MOST_CAUSES) : []), ...(cause === undefined ? [] : [cause])];
  } catch {
    return [];
  }
}
