import { nearestName } from "@kubescaffold/platform";

import type { Result } from "./reconcile.ts";
import { describeValue, ReturnedValueError } from "./returned-value.ts";

/**
 * Returns what a reconciler has returned, as a result.
 *
 * Fails: {@link ReturnedValueError} for other values: the request would never come again, or at once.
 */
export function checkedResult(answer: unknown): Result {
  if (answer === undefined || answer === null) return NOTHING;
  if (typeof answer !== "object" || Array.isArray(answer)) {
    throw new ReturnedValueError(
      `the reconciler returned ${describeValue(answer)}`,
      "return nothing, or { requeueAfterMs: 1000 }",
    );
  }
  for (const name in answer) {
    const check = CHECKS.get(name);
    if (check === undefined) throw unknownField(name);
    const value: unknown = (answer as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined && !check.accepts(value)) {
      throw new ReturnedValueError(`the result of the reconciler has ${describeValue(value)} as ${name}`, check.hint);
    }
  }
  return answer;
}

const NOTHING: Result = {};

// The longest duration of Go. A negative one is none, as upstream: the time has passed.
const LONGEST_MS = 9_223_372_036_854;

interface FieldCheck {
  readonly accepts: (value: unknown) => boolean;
  readonly hint: string;
}

const CHECKS: ReadonlyMap<string, FieldCheck> = new Map([
  [
    "requeueAfterMs",
    {
      accepts: (value: unknown) => typeof value === "number" && Math.abs(value) <= LONGEST_MS,
      hint: `return a number of milliseconds of at most ${String(LONGEST_MS)}`,
    },
  ],
  ["requeue", { accepts: (value: unknown) => typeof value === "boolean", hint: "return true or false" }],
  ["priority", { accepts: Number.isSafeInteger, hint: "return an integer" }],
]);

function unknownField(name: string): ReturnedValueError {
  const meant = nearestName(name, CHECKS.keys());
  return new ReturnedValueError(
    `the result of the reconciler has an unknown field ${JSON.stringify(name)}`,
    meant === undefined ? `return only ${[...CHECKS.keys()].join(", ")}` : `write ${meant}`,
  );
}
