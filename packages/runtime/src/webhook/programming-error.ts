/** The errors that JavaScript itself throws for a mistake in a program; upstream's counterpart is a panic. */
const PROGRAMMING_ERRORS = [TypeError, ReferenceError, RangeError, SyntaxError, EvalError] as const;

/** Says whether an error is a defect of a handler rather than its decision to refuse. */
export function isProgrammingError(error: unknown): boolean {
  return PROGRAMMING_ERRORS.some((type) => error instanceof type);
}
