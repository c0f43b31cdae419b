/**
 * The base class of all errors that are reported to users: a stable code, a message, and a hint with the fix if there is one.
 *
 * Every error class of the product extends it; anything else that is thrown is a bug. Codes are listed in `docs/reference/errors.md`.
 */
export abstract class ScaffoldError extends Error {
  /** A name of the form `AREA_CONDITION`, never renamed after a release. */
  abstract readonly code: string;
  /** The hint: how to fix the error, in the imperative. */
  readonly hint: string | undefined;

  constructor(message: string, options: { readonly hint?: string | undefined; readonly cause?: unknown } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.hint = options.hint;
    this.name = new.target.name;
  }
}

/**
 * Thrown when a string is not a quantity.
 *
 * Fix: Use a number with an optional suffix, such as `100m`, `1.5`, or `128Mi`.
 */
export class QuantityError extends ScaffoldError {
  readonly code = "QUANTITY_BAD_FORMAT";
  /** The reason, with the wording of an API server. */
  readonly reason: string;

  constructor(reason: string, text: string) {
    super(`cannot read ${JSON.stringify(text)} as a quantity: ${reason}`, {
      hint: "write a number with an optional suffix, such as 100m, 1.5 or 128Mi",
    });
    this.reason = reason;
  }
}

/**
 * Thrown when a label or field selector is invalid; the message is that of an API server.
 *
 * Fix: Separate requirements with commas, such as `app=web,tier!=db`.
 */
export class SelectorError extends ScaffoldError {
  readonly code = "SELECTOR_INVALID";

  constructor(message: string) {
    super(message, { hint: "write requirements separated by commas, such as app=web,tier!=db" });
  }
}

/**
 * Thrown when a string is not a duration.
 *
 * Fix: Use numbers with units, such as `1h30m`, `1.5s`, or `200ms`.
 */
export class DurationError extends ScaffoldError {
  readonly code = "DURATION_BAD_FORMAT";

  constructor(problem: string) {
    super(problem, { hint: "write numbers with units, such as 1h30m, 1.5s or 200ms" });
  }
}

/**
 * Thrown when a string is not a time.
 *
 * Fix: Use the format of RFC 3339, such as `2026-01-31T12:00:00Z`.
 */
export class TimeError extends ScaffoldError {
  readonly code = "TIME_BAD_FORMAT";

  constructor(text: string) {
    super(`cannot read ${JSON.stringify(text)} as a time`, {
      hint: "write a time of RFC 3339, such as 2026-01-31T12:00:00Z",
    });
  }
}
