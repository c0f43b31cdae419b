import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when the embedded API server closed the connection without a response: a fault of kind `disconnect`, or a closed server.
 *
 * Fix: Remove the fault, or start the server again.
 */
export class DisconnectedError extends ScaffoldError {
  readonly code = "APISERVER_DISCONNECTED";

  constructor() {
    super("the embedded API server closed the connection without a response", {
      hint: "remove the fault of kind disconnect, or restart the server if it was closed",
    });
  }
}

/**
 * Thrown when the embedded API server cannot listen; the message contains the address and the reason.
 *
 * Fix: Use another port, or 0 for any free port.
 */
export class ListenError extends ScaffoldError {
  readonly code = "APISERVER_LISTEN_FAILED";

  constructor(address: string, cause: Error) {
    super(`cannot listen on ${address}: ${cause.message}`, {
      hint: "choose another port, or 0 for any free port",
      cause,
    });
  }
}

/**
 * Thrown when a call to an admission webhook failed, or its response is not JSON or not successful.
 *
 * Fix: Read the reason in the message: connection refused, certificate mismatch, or timeout. With `failurePolicy: Ignore`, such requests are admitted.
 */
export class WebhookCallError extends ScaffoldError {
  readonly code = "APISERVER_WEBHOOK_CALL";
}
