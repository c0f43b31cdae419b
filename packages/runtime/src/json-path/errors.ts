import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a JSONPath template is invalid.
 *
 * Fix: Use the syntax of kubectl, such as `{.status.conditions[?(@.type=="Ready")].status}`.
 */
export class JsonPathSyntaxError extends ScaffoldError {
  readonly code = "JSON_PATH_SYNTAX";

  constructor(template: string, problem: string) {
    super(`cannot parse the JSONPath ${JSON.stringify(template)}: ${problem}`, {
      hint: 'use the syntax of kubectl, such as {.status.conditions[?(@.type=="Ready")].status}',
    });
  }
}

/**
 * Thrown when a JSONPath template does not match a value: a field is missing, an index is out of bounds, values cannot be compared, or the template looks at more than 10,000,000 values.
 *
 * Fix: Fix the template, or set `allowMissingKeys` for fields that may be missing.
 */
export class JsonPathMismatchError extends ScaffoldError {
  readonly code = "JSON_PATH_MISMATCH";

  constructor(problem: string) {
    super(`cannot evaluate the JSONPath: ${problem}`, { hint: "fix the path, or set allowMissingKeys" });
  }
}
