import { AssertionError } from "node:assert";

import { readableError, UnreadableErrorError } from "@kubescaffold/k8s";

const ENGINE_ERRORS = [TypeError, ReferenceError, RangeError, SyntaxError];

/**
 * Reports whether a thrown value is a programming error, the counterpart of a panic in Go.
 *
 * That includes any value other than an `Error`, failed assertions, and errors of the engine (`TypeError`, `ReferenceError`, `RangeError`,
 * `SyntaxError`) without a cause; failures of `fetch` have one.
 */
export function isProgrammingError(thrown: unknown): boolean {
  const error = readableError(thrown);
  if (!(error instanceof Error) || error instanceof AssertionError || error instanceof UnreadableErrorError) {
    return true;
  }
  return error.cause === undefined && ENGINE_ERRORS.some((engineError) => error instanceof engineError);
}
