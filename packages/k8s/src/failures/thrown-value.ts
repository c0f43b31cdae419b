import { ScaffoldError } from "./errors.ts";

/**
 * Thrown in place of an error that cannot be read, such as a revoked `Proxy`, or an object whose `message` is a getter that throws.
 *
 * Fix: Throw an `Error` whose properties are values.
 */
export class UnreadableErrorError extends ScaffoldError {
  readonly code = "ERROR_UNREADABLE";

  constructor(reason: string) {
    super(`a value was thrown that cannot be read: ${reason}`, {
      hint: "throw an Error whose properties are values",
    });
  }
}

/** Reports whether a value is an instance of a class; false for a value that cannot be read, for which `instanceof` throws. */
export function isInstance<T>(value: unknown, valueClass: abstract new (...parameters: never[]) => T): value is T {
  try {
    return value instanceof valueClass;
  } catch {
    return false;
  }
}

/**
 * Returns the message of an error, or the text of any other thrown value.
 *
 * Guarantees: it throws nothing.
 */
export function messageOf(error: unknown): string {
  try {
    const text: unknown = error instanceof Error ? error.message : error;
    return String(text);
  } catch {
    return isPlain(error) ? "an object without a text" : "a value that cannot be read";
  }
}

function isPlain(value: unknown): boolean {
  try {
    return Object.prototype.toString.call(value) === "[object Object]" && !(value instanceof Error);
  } catch {
    return false;
  }
}

/**
 * Returns what a function has thrown, or an {@link UnreadableErrorError} in its place if it cannot be read, so that those who handle it may use its
 * properties.
 */
export function readableError(thrown: unknown): unknown {
  if (thrown === null || (typeof thrown !== "object" && typeof thrown !== "function")) return thrown;
  try {
    if (thrown instanceof Error) readProperties(thrown);
    return thrown;
  } catch (error) {
    return new UnreadableErrorError(messageOf(error));
  }
}

const TEXTS = ["name", "message", "stack"] as const;

function readProperties(error: Error): void {
  for (const name of TEXTS) {
    const text: unknown = error[name];
    if (typeof text !== "string" && text !== undefined) throw new TypeError(`its ${name} is not a string`);
  }
  for (const name of ["cause", "code", "hint", "status", "errors"]) {
    if (name in error) Reflect.get(error, name);
  }
}
