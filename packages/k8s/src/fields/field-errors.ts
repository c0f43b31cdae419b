import { goJson, goNumber, goQuote } from "./go-format.ts";

/** The machine-readable kind of a field error; the API reports it as the cause's reason. */
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
 * A validation error of one field of an object.
 *
 * A server answers with a list of them as the causes of a 422.
 */
export interface FieldError {
  /** The machine-readable kind of error. */
  readonly type: FieldErrorType;
  /** The path of the field, such as `spec.ports[0].name`; `<nil>` for the whole object. */
  readonly field: string;
  /** The offending value, where the message shows it; {@link OMITTED_VALUE} where it would be too much to show. */
  readonly badValue?: unknown;
  /** The detail that follows the value; may be empty. */
  readonly detail: string;
}

/** A placeholder for a value that is omitted from the message. */
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
  return typeof value === "number" || typeof value === "bigint" ? goNumber(value) : goJson(value);
}

/** Returns the error that a field must have a value. */
export function requiredField(field: string, detail: string = ""): FieldError {
  return { type: "FieldValueRequired", field, badValue: "", detail };
}

/** Returns the error that a value is invalid. */
export function invalidField(field: string, badValue: unknown, detail: string): FieldError {
  return { type: "FieldValueInvalid", field, badValue, detail };
}

/** Returns the error that a value has the wrong type. */
export function invalidFieldType(field: string, badValue: unknown, detail: string): FieldError {
  return { type: "FieldValueTypeInvalid", field, badValue, detail };
}

/** Returns the error that a value is not supported. */
export function unsupportedField(field: string, badValue: unknown, valid: readonly string[]): FieldError {
  const detail = valid.length === 0 ? "" : `supported values: ${valid.map((value) => goQuote(value)).join(", ")}`;
  return { type: "FieldValueNotSupported", field, badValue, detail };
}

/** Returns the error that a value occurs twice. */
export function duplicateField(field: string, badValue: unknown): FieldError {
  return { type: "FieldValueDuplicate", field, badValue, detail: "" };
}

/** Returns the error that a referenced value was not found. */
export function notFoundField(field: string, badValue: unknown): FieldError {
  return { type: "FieldValueNotFound", field, badValue, detail: "" };
}

/** Returns the error that a field may not be set, or not to this value, for a reason outside it. */
export function forbiddenField(field: string, detail: string): FieldError {
  return { type: "FieldValueForbidden", field, badValue: "", detail };
}

/** Returns the error that a string has too many bytes, without the string itself. */
export function tooLongField(field: string, mostBytes: number): FieldError {
  const unit = mostBytes === 1 ? "byte" : "bytes";
  const detail = mostBytes >= 0 ? `may not be more than ${mostBytes} ${unit}` : "value is too long";
  return { type: "FieldValueTooLong", field, badValue: "<value omitted>", detail };
}

/** Returns the error that a list or map has too many items. */
export function tooManyField(field: string, actual: number, most: number): FieldError {
  const unit = most === 1 ? "item" : "items";
  const detail = most >= 0 ? `must have at most ${most} ${unit}` : "has too many items";
  return { type: "FieldValueTooMany", field, badValue: actual, detail };
}

/** Returns the error that a validation failed unexpectedly. */
export function internalFieldError(field: string, detail: string): FieldError {
  return { type: "InternalError", field, detail };
}

/** Formats a list of field errors without duplicates: `[a: Required value, b: Forbidden]`. */
export function aggregateFieldErrors(errors: readonly FieldError[]): string {
  const messages = [...new Set(errors.map(fieldErrorToString))];
  return messages.length === 1 ? (messages[0] ?? "") : `[${messages.join(", ")}]`;
}
