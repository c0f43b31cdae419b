import { CelError } from "./cel-value.ts";

/** The longest list that an expression may make by joining lists: a loop over a longer one exceeds the limit of an expression's cost, which is a million. */
export const LONGEST_LIST = 1_000_000;

/** The longest text that an expression may make: a function that reads a longer one exceeds that limit, too. */
export const LONGEST_TEXT = 10_000_000;

/** The result of an expression that costs too much, as kube-apiserver words it. */
export const CANCELLED = "operation cancelled: actual cost limit exceeded";

/** Returns the result in place of a value that is longer. */
export function tooLong(): CelError {
  return new CelError(CANCELLED);
}
