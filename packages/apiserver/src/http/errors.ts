import { ScaffoldError } from "@kubescaffold/k8s";

/** Thrown by the in-process transport where a socket would have been closed without an answer. */
export class DisconnectedError extends ScaffoldError {
  readonly code = "APISERVER_DISCONNECTED";

  constructor() {
    super("the embedded API server closed the connection without an answer", {
      hint: "remove the fault of kind disconnect, or start the server again if it was closed",
    });
  }
}

/** Thrown when the server cannot listen. */
export class ListenError extends ScaffoldError {
  readonly code = "APISERVER_LISTEN_FAILED";

  constructor(address: string, cause: Error) {
    super(`cannot listen on ${address}: ${cause.message}`, {
      hint: "choose another port, or 0 for any free one",
      cause,
    });
  }
}
