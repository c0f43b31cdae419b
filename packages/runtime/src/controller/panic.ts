import { AssertionError } from "node:assert";

/**
 * Says whether something thrown tells of a bug, and so counts as what Go calls a panic.
 *
 * That is whatever is no `Error`, a failed assertion, and what the engine itself throws (`TypeError`, `ReferenceError`, `RangeError`,
 * `SyntaxError`) unless it has a cause, as the failures of `fetch` have.
 */
export function isPanic(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof AssertionError) {
    return true;
  }
  return error.cause === undefined && ENGINE_ERRORS.some((engineError) => error instanceof engineError);
}

const ENGINE_ERRORS = [TypeError, ReferenceError, RangeError, SyntaxError];
