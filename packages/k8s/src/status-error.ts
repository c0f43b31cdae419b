import type { Status, StatusCause } from "./api/meta/v1.ts";
import { ScaffoldError } from "./errors.ts";

/**
 * Thrown when an API server rejected a request; the message is the server's.
 *
 * Fix: Check the reason with `isNotFound`, `isConflict`, and similar functions.
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

/** Reports whether an error is the server's answer that an object does not exist (404). */
export function isNotFound(error: unknown): boolean {
  return means(error, "NotFound", 404);
}

/** Reports whether an error is the server's answer that an object exists already (409 AlreadyExists). */
export function isAlreadyExists(error: unknown): boolean {
  return reasonForError(error) === "AlreadyExists";
}

/** Reports whether an error is a write against an outdated resourceVersion (409 Conflict). */
export function isConflict(error: unknown): boolean {
  return means(error, "Conflict", 409);
}

/** Reports whether the server found an object wrong (422). */
export function isInvalid(error: unknown): boolean {
  return means(error, "Invalid", 422);
}

/** Reports whether the user may not do what was asked (403). */
export function isForbidden(error: unknown): boolean {
  return means(error, "Forbidden", 403);
}

/** Reports whether the server does not know who is asking (401). */
export function isUnauthorized(error: unknown): boolean {
  return means(error, "Unauthorized", 401);
}

/** Reports whether something existed and does no more (410 Gone). */
export function isGone(error: unknown): boolean {
  return means(error, "Gone", 410);
}

/** Reports whether a resourceVersion or a continue token is too old (410 Expired); listing again is the fix. */
export function isResourceExpired(error: unknown): boolean {
  return reasonForError(error) === "Expired";
}

/** Reports whether the client should slow down (429). */
export function isTooManyRequests(error: unknown): boolean {
  return reasonForError(error) === "TooManyRequests" || statusOf(error)?.code === 429;
}

/** Reports whether the server gave up on a request that may still be going on (504). */
export function isTimeout(error: unknown): boolean {
  return means(error, "Timeout", 504);
}

/** Reports whether the server could not do a request in time and asks for it again (500 ServerTimeout). */
export function isServerTimeout(error: unknown): boolean {
  return reasonForError(error) === "ServerTimeout";
}

/** Reports whether the server failed (500). */
export function isInternalError(error: unknown): boolean {
  return means(error, "InternalError", 500);
}

/** Reports whether the server cannot serve at the moment (503). */
export function isServiceUnavailable(error: unknown): boolean {
  return means(error, "ServiceUnavailable", 503);
}

/** Reports whether the server could not understand a request (400). */
export function isBadRequest(error: unknown): boolean {
  return means(error, "BadRequest", 400);
}

/** Reports whether a resource does not have a verb (405). */
export function isMethodNotSupported(error: unknown): boolean {
  return means(error, "MethodNotAllowed", 405);
}

/** Reports whether the server cannot answer in a form that was asked for (406). */
export function isNotAcceptable(error: unknown): boolean {
  return means(error, "NotAcceptable", 406);
}

/** Reports whether the server cannot read the form of a request (415). */
export function isUnsupportedMediaType(error: unknown): boolean {
  return means(error, "UnsupportedMediaType", 415);
}

/** Reports whether a request is too large (413). */
export function isRequestEntityTooLarge(error: unknown): boolean {
  return reasonForError(error) === "RequestEntityTooLarge" || statusOf(error)?.code === 413;
}

/** Returns how long the server asks to wait before a request is retried; `undefined` where it does not ask. */
export function suggestedRetryAfterMs(error: unknown): number | undefined {
  const status = statusOf(error);
  const seconds = status?.details?.retryAfterSeconds ?? 0;
  if (status?.details === undefined || (status.reason !== "ServerTimeout" && seconds <= 0)) return undefined;
  return seconds * 1000;
}

/** Reports whether one of the causes of an error has a reason, such as `FieldValueInvalid` or `NamespaceTerminating`. */
export function hasStatusCause(error: unknown, reason: string): boolean {
  return statusCause(error, reason) !== undefined;
}

/** Returns the first cause of an error that has a reason. */
export function statusCause(error: unknown, reason: string): StatusCause | undefined {
  return statusOf(error)?.details?.causes?.find((cause) => cause.reason === reason);
}

/** Returns the reason that a server gave; the empty string where there is none. */
export function reasonForError(error: unknown): string {
  return statusOf(error)?.reason ?? "";
}

/**
 * Awaits a promise, with `undefined` in place of the answer that an object does not exist.
 *
 * @example
 * await ignoreNotFound(client.delete(guestbook));
 */
export async function ignoreNotFound<T>(promise: Promise<T>): Promise<T | undefined> {
  return ignore(promise, isNotFound);
}

/** Awaits a promise, with `undefined` in place of the answer that an object exists already. */
export async function ignoreAlreadyExists<T>(promise: Promise<T>): Promise<T | undefined> {
  return ignore(promise, isAlreadyExists);
}

/** Returns the status that an error, or an error that caused it, carries. */
export function statusOf(error: unknown): Status | undefined {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < LONGEST_CHAIN; depth++) {
    if (current instanceof StatusError) return current.status;
    current = current.cause;
  }
  return undefined;
}

const LONGEST_CHAIN = 32;
const KNOWN_REASONS = new Set([
  "Unauthorized",
  "Forbidden",
  "NotFound",
  "AlreadyExists",
  "Conflict",
  "Gone",
  "Invalid",
  "ServerTimeout",
  "StorageReadError",
  "Timeout",
  "TooManyRequests",
  "BadRequest",
  "MethodNotAllowed",
  "NotAcceptable",
  "RequestEntityTooLarge",
  "UnsupportedMediaType",
  "InternalError",
  "Expired",
  "ServiceUnavailable",
]);

// The number counts only where the reason says nothing.
function means(error: unknown, reason: string, code: number): boolean {
  const status = statusOf(error);
  const given = status?.reason ?? "";
  return given === reason || (!KNOWN_REASONS.has(given) && status?.code === code);
}

async function ignore<T>(promise: Promise<T>, isIgnored: (error: unknown) => boolean): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isIgnored(error)) return undefined;
    throw error;
  }
}
