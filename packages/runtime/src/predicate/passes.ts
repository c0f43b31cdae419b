import { isPromise, ReturnedValueError } from "../reconcile/returned-value.ts";

/** Returns what a predicate has returned. Fails: `ReturnedValueError` for a promise, which is true in any case. */
export function passes(isPassed: boolean): boolean {
  if (typeof isPassed === "object" && isPromise(isPassed)) {
    throw new ReturnedValueError(
      "the predicate returned a promise",
      "return true or false: predicates are synchronous",
    );
  }
  return isPassed;
}
