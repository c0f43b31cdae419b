import type { Status, StatusCause } from "./api/meta/v1.ts";
import { findCause } from "./failures/causes.ts";
import { ScaffoldError } from "./failures/errors.ts";
import { rbacMarkerFor } from "./permissions.ts";

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
    super(status.message ?? `the server responded with ${String(status.code)} ${status.reason ?? "Unknown"}`, {
      ...options,
      hint: hintOf(status),
    });
    this.status = status;
  }
}

// A manager whose markers lack a permission is the usual reason.
function hintOf({ code, message = "" }: Status): string | undefined {
  const marker = code === 403 ? rbacMarkerFor(message) : undefined;
  return marker === undefined
    ? undefined
    : `in an operator, add \`${marker}\` to its sources and regenerate the manifests`;
}

/** Reports whether an error means that an object does not exist (404 NotFound). */
export function isNotFound(error: unknown): boolean {
  return means(error, "NotFound", 404);
}

/** Reports whether an error means that an object already exists (409 AlreadyExists). */
export function isAlreadyExists(error: unknown): boolean {
  return reasonForError(error) === "AlreadyExists";
}

/** Reports whether an error is an update conflict, such as a write with an outdated resourceVersion (409 Conflict). */
export function isConflict(error: unknown): boolean {
  return means(error, "Conflict", 409);
}

/** Reports whether an error means that an object is invalid (422 Invalid). */
export function isInvalid(error: unknown): boolean {
  return means(error, "Invalid", 422);
}

/** Reports whether an error means that the user lacks permission (403 Forbidden). */
export function isForbidden(error: unknown): boolean {
  return means(error, "Forbidden", 403);
}

/** Reports whether an error means that the client is not authenticated (401 Unauthorized). */
export function isUnauthorized(error: unknown): boolean {
  return means(error, "Unauthorized", 401);
}

/** Reports whether an error means that a resource no longer exists (410 Gone). */
export function isGone(error: unknown): boolean {
  return means(error, "Gone", 410);
}

/** Reports whether an error means that a resourceVersion or a continue token has expired (410 Expired). To recover, list again. */
export function isResourceExpired(error: unknown): boolean {
  return reasonForError(error) === "Expired";
}

/** Reports whether an error means that the client sends too many requests (429 TooManyRequests). */
export function isTooManyRequests(error: unknown): boolean {
  return reasonForError(error) === "TooManyRequests" || statusOf(error)?.code === 429;
}

/** Reports whether an error is a timeout of a request that may still complete (504 Timeout). */
export function isTimeout(error: unknown): boolean {
  return means(error, "Timeout", 504);
}

/** Reports whether an error is a timeout after which the client should retry (500 ServerTimeout). */
export function isServerTimeout(error: unknown): boolean {
  return reasonForError(error) === "ServerTimeout";
}

/** Reports whether an error is an internal server error (500 InternalError). */
export function isInternalError(error: unknown): boolean {
  return means(error, "InternalError", 500);
}

/** Reports whether an error means that the server is unavailable (503 ServiceUnavailable). */
export function isServiceUnavailable(error: unknown): boolean {
  return means(error, "ServiceUnavailable", 503);
}

/** Reports whether an error means that a request is malformed (400 BadRequest). */
export function isBadRequest(error: unknown): boolean {
  return means(error, "BadRequest", 400);
}

/** Reports whether an error means that a resource does not support a verb (405 MethodNotAllowed). */
export function isMethodNotSupported(error: unknown): boolean {
  return means(error, "MethodNotAllowed", 405);
}

/** Reports whether an error means that no accepted media type is supported (406 NotAcceptable). */
export function isNotAcceptable(error: unknown): boolean {
  return means(error, "NotAcceptable", 406);
}

/** Reports whether an error means that the media type of a request is not supported (415 UnsupportedMediaType). */
export function isUnsupportedMediaType(error: unknown): boolean {
  return means(error, "UnsupportedMediaType", 415);
}

/** Reports whether an error means that a request is too large (413 RequestEntityTooLarge). */
export function isRequestEntityTooLarge(error: unknown): boolean {
  return reasonForError(error) === "RequestEntityTooLarge" || statusOf(error)?.code === 413;
}

/**
 * Reports whether an error means that the server cannot read an object of its store, such as one that it cannot decrypt or decode (500 StorageReadError).
 *
 * apimachinery: pkg/api/errors.IsStoreReadError
 */
export function isStoreReadError(error: unknown): boolean {
  return reasonForError(error) === "StorageReadError";
}

/** Returns the delay before a retry that the server suggests; `undefined` if there is none. */
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

/** Returns the reason of a status error; the empty string if there is none. */
export function reasonForError(error: unknown): string {
  return statusOf(error)?.reason ?? "";
}

/**
 * Awaits a promise, and returns `undefined` if an object does not exist.
 *
 * @example
 * await ignoreNotFound(client.delete(guestbook));
 */
export async function ignoreNotFound<T>(promise: Promise<T>): Promise<T | undefined> {
  return ignore(promise, isNotFound);
}

/** Awaits a promise, and returns `undefined` if an object already exists. */
export async function ignoreAlreadyExists<T>(promise: Promise<T>): Promise<T | undefined> {
  return ignore(promise, isAlreadyExists);
}

/** Returns the status of an error or of its cause. */
export function statusOf(error: unknown): Status | undefined {
  return findCause(error, StatusError)?.status;
}

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
