import { ScaffoldError } from "../failures/errors.ts";

/**
 * The levels of a value that functions walk with calls of themselves, which is fast. Below, they keep their own list of what is left to do, since API
 * servers store 10,000 levels, more than fit on the stack.
 */
export const RECURSIVE_LEVELS = 200;

/** Ten times the levels that API servers read. */
const MOST_LEVELS = 100_000;

/**
 * Thrown when a value is nested deeper than 100,000 levels, which JSON that an API server accepts never is.
 *
 * Fix: Look for an object or list that contains itself.
 */
export class EndlessValueError extends ScaffoldError {
  readonly code = "MANIFEST_ENDLESS";

  constructor() {
    super(`a value is nested deeper than ${String(MOST_LEVELS)} levels`, {
      hint: "remove the reference from the value to itself, if it has one",
    });
  }
}

/** Fails with {@link EndlessValueError} for a level that only a value that contains itself has. */
export function checkLevel(level: number): void {
  if (level > MOST_LEVELS) throw new EndlessValueError();
}
