import { isInstance, messageOf, ScaffoldError } from "@kubescaffold/k8s";
import { handledLater } from "@kubescaffold/platform";

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
