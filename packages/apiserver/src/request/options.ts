import type { FieldError } from "@kubescaffold/k8s";

import { invalid } from "./failures.ts";
import type { JsonObject } from "./json.ts";

/** Options that all writes have. */
export interface WriteOptions {
  readonly isDryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
}

/** The kinds of options, as admission and messages name them. */
export type OptionsKind = "CreateOptions" | "UpdateOptions" | "PatchOptions" | "DeleteOptions" | "ListOptions";

const VALIDATION_LEVELS = ["", "Ignore", "Strict", "Warn"] as const;

/**
 * Reads the options of a create, update or patch from the query.
 *
 * Fails: with 422 when a value is not one of those that exist.
 */
export function parseWriteOptions(query: URLSearchParams, kind: OptionsKind): WriteOptions {
  const dryRun = query.getAll("dryRun").filter((value) => value !== "");
  const fieldValidation = query.get("fieldValidation") ?? "";
  const fieldManager = query.get("fieldManager") ?? "";
  const errors = [
    ...dryRunErrors(dryRun),
    ...fieldManagerErrors(fieldManager),
    ...fieldValidationErrors(fieldValidation),
    ...forceErrors(query, kind),
  ];
  throwIfInvalid(kind, errors);
  return {
    isDryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: fieldValidation === "Ignore" || fieldValidation === "Strict" ? fieldValidation : "Warn",
  };
}

/** Fails with 422 when options have errors. */
export function throwIfInvalid(kind: OptionsKind, errors: readonly FieldError[]): void {
  if (errors.length > 0) {
    throw invalid({ groupKind: { group: "meta.k8s.io", kind }, name: "" }, errors);
  }
}

/** Returns what is wrong with the values of `dryRun`. */
export function dryRunErrors(values: readonly string[]): readonly FieldError[] {
  return values.every((value) => value === "All")
    ? []
    : [{ type: "FieldValueNotSupported", field: "dryRun", badValue: [...values], detail: 'supported values: "All"' }];
}

/** Returns the options as admission plugins see them. */
export function admissionOptions(kind: "CreateOptions" | "UpdateOptions", options: WriteOptions): JsonObject {
  return {
    kind,
    apiVersion: "meta.k8s.io/v1",
    ...(options.isDryRun ? { dryRun: ["All"] } : {}),
    ...(options.fieldManager === "" ? {} : { fieldManager: options.fieldManager }),
    ...(options.fieldValidation === "Warn" ? {} : { fieldValidation: options.fieldValidation }),
  };
}

function fieldValidationErrors(value: string): readonly FieldError[] {
  return (VALIDATION_LEVELS as readonly string[]).includes(value)
    ? []
    : [
        {
          type: "FieldValueNotSupported",
          field: "fieldValidation",
          badValue: value,
          detail: `supported values: ${VALIDATION_LEVELS.map((level) => `"${level}"`).join(", ")}`,
        },
      ];
}

function fieldManagerErrors(value: string): readonly FieldError[] {
  if (Buffer.byteLength(value) > 128) {
    return [
      { type: "FieldValueTooLong", field: "fieldManager", badValue: value, detail: "may not be more than 128 bytes" },
    ];
  }
  return /\p{C}/u.test(value)
    ? [
        {
          type: "FieldValueInvalid",
          field: "fieldManager",
          badValue: value,
          detail: "should only contain printable characters",
        },
      ]
    : [];
}

function forceErrors(query: URLSearchParams, kind: OptionsKind): readonly FieldError[] {
  return kind === "PatchOptions" && query.has("force")
    ? [{ type: "FieldValueForbidden", field: "force", detail: "may not be specified for non-apply patch" }]
    : [];
}
