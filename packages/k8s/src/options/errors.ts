import { ScaffoldError } from "../failures/errors.ts";

/**
 * Thrown when the value of a numeric option is not a number, or a number that the option cannot have, such as `NaN`, `10n`, or a negative timeout.
 *
 * Fix: Pass a number in the range that the message contains.
 */
export class NumericOptionError extends ScaffoldError {
  readonly code = "OPTION_NUMBER";

  /** Describes an option of `owner`: `maxDelayMs of the rate limiter must be a number, not the string "5"`. */
  constructor(name: string, owner: string, expected: string, value: string) {
    super(`${name} of ${owner} must be ${expected}, not ${value}`, {
      hint: `pass ${expected}, or omit ${name} for its default`,
    });
  }
}
