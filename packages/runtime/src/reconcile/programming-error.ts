import { AssertionError } from "node:assert";

const ENGINE_ERRORS = [TypeError, ReferenceError, RangeError, SyntaxError];

/**
 * Reports whether a thrown value is a programming error, the counterpart of a panic in Go.
 *
 * That includes any value other than an `Error`, failed assertions, and errors of the engine (`TypeError`, `ReferenceError`, `RangeError`,
 * `SyntaxError`) without a cause; failures of `fetch` have one.
 */
export function isProgrammingError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof AssertionError) {
    return true;
  }
  return error.cause === undefined && ENGINE_ERRORS.some((engineError) => error instanceof engineError);
}
