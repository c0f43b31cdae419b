import { ScaffoldError } from "./scaffold-error.ts";

/** Is thrown when a text is not a quantity; the reason is upstream's sentence. */
export class QuantityError extends ScaffoldError {
  readonly code = "QUANTITY_BAD_FORMAT";
  /** What is wrong, in the words of an API server. */
  readonly reason: string;

  constructor(reason: string, text: string) {
    super(`cannot read ${JSON.stringify(text)} as a quantity: ${reason}`, {
      hint: "write a number with an optional suffix, such as 100m, 1.5 or 128Mi",
    });
    this.reason = reason;
  }
}
