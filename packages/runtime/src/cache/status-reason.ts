import { StatusError } from "@kubescaffold/k8s";
import type { Status } from "@kubescaffold/k8s/meta/v1";

/** Says whether a status means that a resourceVersion or continue token is too old. */
export function isExpiredStatus(status: Status): boolean {
  return status.reason === "Expired" || status.reason === "Gone" || status.code === 410;
}

/** Says whether an error means that a resourceVersion or continue token is too old. */
export function isExpired(error: unknown): boolean {
  return error instanceof StatusError && isExpiredStatus(error.status);
}

/** Says whether a status means that the server has too much to do. */
export function isTooManyRequestsStatus(status: Status): boolean {
  return status.reason === "TooManyRequests" || status.code === 429;
}

/** Says whether an error means that the server does not have a resourceVersion yet, for instance after it was restored from a backup. */
export function isTooLargeResourceVersion(error: unknown): boolean {
  if (!(error instanceof StatusError) || (error.status.reason !== "Timeout" && error.status.code !== 504)) {
    return false;
  }
  const causes = error.status.details?.causes ?? [];
  return (
    causes.some((cause) => cause.reason === "ResourceVersionTooLarge") ||
    (error.status.message ?? "").includes("Too large resource version")
  );
}
