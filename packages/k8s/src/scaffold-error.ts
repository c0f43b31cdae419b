/**
 * Is thrown on purpose and can be explained to a user: it carries a stable code, one sentence, and a way out where there is one.
 *
 * Every error class of the product extends it; anything else that is thrown is a bug. Codes are listed in `docs/errors.md`.
 */
export abstract class ScaffoldError extends Error {
  /** A name of the form `AREA_CONDITION`, never renamed after a release. */
  abstract readonly code: string;
  /** What to do next, in the imperative, when there is a way out. */
  readonly hint: string | undefined;

  constructor(message: string, options: { readonly hint?: string | undefined; readonly cause?: unknown } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.hint = options.hint;
    this.name = new.target.name;
  }
}
