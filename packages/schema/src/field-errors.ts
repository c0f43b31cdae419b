import { goQuote, type FieldError } from "@kubescaffold/k8s";

import { fieldName, type FieldPath } from "./field-path.ts";

/** Reports a missing value. */
export function required(path: FieldPath, detail: string): FieldError {
  return { type: "FieldValueRequired", field: fieldName(path), badValue: "", detail };
}

/** Reports a malformed value. */
export function invalid(path: FieldPath, badValue: unknown, detail: string): FieldError {
  return { type: "FieldValueInvalid", field: fieldName(path), badValue, detail };
}

/** Reports a value of the wrong type. */
export function typeInvalid(path: FieldPath, badValue: unknown, detail: string): FieldError {
  return { type: "FieldValueTypeInvalid", field: fieldName(path), badValue, detail };
}

/** Reports a value that a rule does not permit here. */
export function forbidden(path: FieldPath, detail: string): FieldError {
  return { type: "FieldValueForbidden", field: fieldName(path), badValue: "", detail };
}

/** Reports a value that must be unique and is not. */
export function duplicate(path: FieldPath, badValue: unknown): FieldError {
  return { type: "FieldValueDuplicate", field: fieldName(path), badValue, detail: "" };
}

/** Reports a value that is none of those supported. */
export function notSupported(path: FieldPath, badValue: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? "" : `supported values: ${supported.map(goQuote).join(", ")}`;
  return { type: "FieldValueNotSupported", field: fieldName(path), badValue, detail };
}

/** Reports a text that is too long; upstream counts characters and says bytes. */
export function tooLong(path: FieldPath, max: number): FieldError {
  const detail = `may not be more than ${String(max)} ${max === 1 ? "byte" : "bytes"}`;
  return { type: "FieldValueTooLong", field: fieldName(path), badValue: "<value omitted>", detail };
}

/** Reports a list or map with too many members. */
export function tooMany(path: FieldPath, actual: number, max: number): FieldError {
  const detail = `must have at most ${String(max)} ${max === 1 ? "item" : "items"}`;
  return { type: "FieldValueTooMany", field: fieldName(path), badValue: actual, detail };
}
