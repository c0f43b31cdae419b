import { ScaffoldError } from "./scaffold-error.ts";

/** Is thrown when a label or field selector cannot be understood; the message is that of an API server. */
export class SelectorError extends ScaffoldError {
  readonly code = "SELECTOR_INVALID";

  constructor(message: string) {
    super(message, { hint: "write requirements separated by commas, such as app=web,tier!=db" });
  }
}
