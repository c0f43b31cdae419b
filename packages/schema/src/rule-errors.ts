import { type FieldError, type FieldErrorType, invalidField } from "@kubescaffold/k8s";

/**
 * Returns what is wrong with a value, followed by what its rules say, or by a note that none was checked.
 *
 * Guarantees: rules are not checked on a value that has not the types they were written for.
 */
export function withRuleErrors(
  errors: readonly FieldError[],
  checkRules: () => readonly FieldError[],
): readonly FieldError[] {
  return rulesAreSkipped(errors) ? [...errors, NOT_CHECKED] : [...errors, ...checkRules()];
}

/** Reports whether the rules of a value with these errors are not checked. */
export function rulesAreSkipped(errors: readonly FieldError[]): boolean {
  return errors.some(({ type }) => BLOCKING.has(type));
}

const BLOCKING: ReadonlySet<FieldErrorType> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

const NOT_CHECKED: FieldError = invalidField(
  "<nil>",
  null,
  "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
);
