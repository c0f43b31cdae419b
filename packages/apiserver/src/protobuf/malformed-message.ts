import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a request body is not a valid message of protocol buffers; clients get a 400 with the same message.
 *
 * Fix: Send the kind that the body states, encoded by a Kubernetes client.
 */
export class MalformedMessageError extends ScaffoldError {
  readonly code = "APISERVER_MALFORMED_MESSAGE";
}
