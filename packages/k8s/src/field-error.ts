import { goJson, goNumber, goQuote } from "./go-format.ts";

/** Is the machine-readable kind of a field error; the API reports it as the cause's reason. */
export type FieldErrorType =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTypeInvalid"
  | "InternalError";

/**
 * Says what is wrong with one field of an object.
 *
 * A server answers with a list of them as the causes of a 422.
 */
export interface FieldError {
  readonly type: FieldErrorType;
  /** The path of the field, such as `spec.ports[0].name`; `<nil>` for the whole object. */
  readonly field: string;
  /** The offending value, where the message shows it; {@link OMITTED_VALUE} where it would be too much to show. */
  readonly badValue?: unknown;
  /** The sentence that follows the value; may be empty. */
  readonly detail: string;
}

/** Stands for a value that is left out of the message, though the kind of error has one. */
export const OMITTED_VALUE: unique symbol = Symbol("omitted value");

const TITLES: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: "Not found",
  FieldValueRequired: "Required value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueForbidden: "Forbidden",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  FieldValueTypeInvalid: "Invalid value",
  InternalError: "Internal error",
};

const WITHOUT_VALUE: ReadonlySet<FieldErrorType> = new Set([
  "FieldValueRequired",
  "FieldValueForbidden",
  "FieldValueTooLong",
  "InternalError",
]);

/** Prints a field error as upstream does: `spec.size: Invalid value: 0: must be positive`. */
export function fieldErrorToString(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

/** Prints a field error without its path, as the message of a status cause has it. */
export function fieldErrorBody(error: FieldError): string {
  const title = TITLES[error.type];
  const hasNoValue = WITHOUT_VALUE.has(error.type) || error.badValue === OMITTED_VALUE;
  const head = hasNoValue ? title : `${title}: ${printValue(error.badValue)}`;
  return error.detail === "" ? head : `${head}: ${error.detail}`;
}

function printValue(value: unknown): string {
  if (typeof value === "string") return goQuote(value);
  return typeof value === "number" ? goNumber(value) : goJson(value);
}
