import { ScaffoldError } from "../failures/errors.ts";

/** A position in a text; line and column start at 1. */
export interface YamlPosition {
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
}

/**
 * Thrown when a text is not valid YAML or JSON.
 *
 * Fix: Fix the text at the file, line, and column in the message.
 */
export class YamlError extends ScaffoldError {
  readonly code = "MANIFEST_BAD_YAML";
  /** The name that the caller gave to the text. */
  readonly file: string | undefined;
  readonly line: number;
  readonly column: number;
  /** The reason, without the position. */
  readonly reason: string;
  /** Whether the YAML expands to too much data, or is nested too deeply. */
  readonly isLimit: boolean;

  constructor(
    reason: string,
    place: YamlPosition & { readonly file?: string | undefined },
    { isLimit = false, ...options }: { readonly cause?: unknown; readonly isLimit?: boolean } = {},
  ) {
    super(`${place.file ?? "yaml"}:${place.line}:${place.column}: ${reason}`, {
      ...options,
      hint: "fix the YAML at this position",
    });
    this.file = place.file;
    this.line = place.line;
    this.column = place.column;
    this.reason = reason;
    this.isLimit = isLimit;
  }
}

/**
 * Thrown when a value without a JSON form (a function, NaN, or a class instance) was printed as YAML.
 *
 * Fix: Pass plain JSON data.
 */
export class YamlUnprintableError extends ScaffoldError {
  readonly code = "MANIFEST_UNPRINTABLE";

  constructor(path: string, what: string) {
    super(`cannot print ${path === "" ? "the value" : path} as YAML: it is ${what}`, {
      hint: "pass plain JSON data",
    });
  }
}
