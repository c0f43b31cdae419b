import { StatusError } from "@kubescaffold/k8s";

import { isProgrammingError } from "../programming-error.ts";
import { denied, type AdmissionResponse } from "./admission-response.ts";

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
