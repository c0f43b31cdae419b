import { StatusError } from "@kubescaffold/k8s";

import { denied, type AdmissionResponse } from "./admission-response.ts";

/** The errors that JavaScript itself throws for a mistake in a program; upstream's counterpart is a panic. */
const PROGRAMMING_ERRORS = [TypeError, ReferenceError, RangeError, SyntaxError, EvalError] as const;

/** Says whether an error is a defect of the handler rather than its decision to refuse. */
function isProgrammingError(error: unknown): boolean {
  return PROGRAMMING_ERRORS.some((type) => error instanceof type);
}

/**
 * Turns what a defaulter or validator threw into an answer: an API status passes through with its code, anything else is a refusal with its text.
 *
 * Fails: rethrows defects of the handler, which the webhook answers with 500.
 */
export function responseOfError(error: unknown): AdmissionResponse {
  if (isProgrammingError(error)) throw error;
  if (error instanceof StatusError) return { allowed: false, patches: [], warnings: [], status: error.status };
  return denied(error instanceof Error ? error.message : String(error));
}
