import { messageOf, ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a server redirects in a loop or from HTTPS to HTTP, or its response exceeds the limit; the cause of `CLI_DOWNLOAD` and `IMAGE_REGISTRY_UNSAFE`.
 *
 * Fix: Check the address.
 */
export class UnsafeResponseError extends ScaffoldError {
  readonly code = "DOWNLOAD_UNSAFE_RESPONSE";
}

/** Returns why a request failed: `fetch` says so in the cause of what it throws. */
export function failureReason(error: unknown): string {
  return messageOf(error instanceof Error && error.cause instanceof Error ? error.cause : error);
}
