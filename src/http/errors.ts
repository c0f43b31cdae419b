import { ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown when a server answers in a way that is not safe to follow or to read; the message is what follows a colon. */
export class UnsafeResponseError extends ScaffoldError {
  readonly code = "DOWNLOAD_UNSAFE_RESPONSE";
}
