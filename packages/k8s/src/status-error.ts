import type { Status } from "./api/meta/v1.ts";
import { ScaffoldError } from "./scaffold-error.ts";

/**
 * Carries the `Status` with which an API server refused a request.
 *
 * Ask what it means with {@link isNotFound} and its like; never compare numbers at a call site.
 */
export class StatusError extends ScaffoldError {
  readonly code = "CLIENT_STATUS";
  readonly status: Status;

  constructor(status: Status, options: { readonly cause?: unknown } = {}) {
    super(status.message ?? `the server answered ${String(status.code)} ${status.reason ?? "Unknown"}`, options);
    this.status = status;
  }
}

/** Says whether an error is the server's answer that an object does not exist (404). */
export function isNotFound(error: unknown): boolean {
  return hasReason(error, "NotFound", 404);
}

/** Says whether an error is the server's answer that an object exists already (409 AlreadyExists). */
export function isAlreadyExists(error: unknown): boolean {
  return reasonOf(error) === "AlreadyExists";
}

/** Says whether an error is a write against an outdated resourceVersion (409 Conflict). */
export function isConflict(error: unknown): boolean {
  return hasReason(error, "Conflict", 409);
}

function hasReason(error: unknown, reason: string, code: number): boolean {
  const actual = reasonOf(error);
  return actual === reason || (actual === "" && codeOf(error) === code);
}

function reasonOf(error: unknown): string | undefined {
  return error instanceof StatusError ? (error.status.reason ?? "") : undefined;
}

function codeOf(error: unknown): number | undefined {
  return error instanceof StatusError ? error.status.code : undefined;
}
