import { isInstance, messageOf, ScaffoldError } from "@kubescaffold/k8s";
import { handledLater, nearestName } from "@kubescaffold/platform";

import type { Result } from "./reconcile.ts";

/**
 * Thrown when a function of the program returned a value that it must not return, such as a result with unknown fields, or a promise of a predicate.
 *
 * Fix: Return what the hint says.
 */
export class ReturnedValueError extends ScaffoldError {
  readonly code = "CONTROLLER_RETURNED_VALUE";

  /** Describes what a function returned: `the predicate returned a promise`. */
  constructor(detail: string, hint: string) {
    super(detail, { hint });
  }
}

/** Describes a value of a program in a message: its text if it is short, otherwise its type. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value.length > LONGEST_TEXT ? "a string" : `the string ${JSON.stringify(value)}`;
    case "bigint":
      return `the bigint ${String(value).slice(0, LONGEST_TEXT)}n`;
    case "function":
      return "a function";
    case "object":
      if (value === null) return "null";
      return isPromise(value) ? "a promise" : Array.isArray(value) ? "an array" : "an object";
    default:
      return messageOf(value);
  }
}

/** Reports whether a value is a promise; its rejection is handled then, since nothing awaits it. */
export function isPromise(value: unknown): boolean {
  if (!isInstance(value, Promise)) return false;
  void handledLater(value);
  return true;
}

const LONGEST_TEXT = 40;

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

/** Returns what a predicate has returned. Fails: {@link ReturnedValueError} for a promise, which is true in any case. */
export function passes(isPassed: boolean): boolean {
  if (typeof isPassed === "object" && isPromise(isPassed)) {
    throw new ReturnedValueError(
      "the predicate returned a promise",
      "return true or false: predicates are synchronous",
    );
  }
  return isPassed;
}
