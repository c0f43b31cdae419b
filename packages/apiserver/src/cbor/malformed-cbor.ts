import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a request body is not valid CBOR, or has values that the API does not have; clients get a 400 with the same message.
 *
 * Fix: Send one data item, encoded by a Kubernetes client.
 */
export class MalformedCborError extends ScaffoldError {
  readonly code = "APISERVER_MALFORMED_CBOR";
}
